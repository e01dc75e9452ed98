# What the objects of the static library define and use. NM and LIBRARY come from CMakeLists.txt.
#
# - Every global symbol begins with symcf_, so that the library can be linked beside others.
# - Only memory.c takes memory, so that every byte is charged to a budget.
# - Only platform.c calls the operating system.
execute_process(COMMAND "${NM}" -g "${LIBRARY}" OUTPUT_VARIABLE output ERROR_QUIET COMMAND_ERROR_IS_FATAL ANY)
string(REPLACE "\n" ";" lines "${output}")
set(memory "malloc|calloc|realloc|free|aligned_alloc|posix_memalign|strdup|qsort|qsort_r")
set(system "mmap|munmap|mremap|madvise|sysconf|clock_gettime|pthread_.*|open|open64|read|close|dlopen|dlsym|dlclose")
set(defined 0)
set(wrong "")
foreach(line IN LISTS lines)
  if(line MATCHES "^([a-z_]+\\.c)\\.(o|obj):$")
    set(file "${CMAKE_MATCH_1}")
  elseif(line MATCHES " U _?([A-Za-z0-9_]+)(@.*)?$")
    set(name "${CMAKE_MATCH_1}")
    if((name MATCHES "^(${memory})$" AND NOT file STREQUAL "memory.c") OR
       (name MATCHES "^(${system})$" AND NOT file STREQUAL "platform.c"))
      list(APPEND wrong "${file} calls ${name}")
    endif()
  elseif(line MATCHES " [ABCDGRSTVW] (.+)$")
    math(EXPR defined "${defined} + 1")
    set(name "${CMAKE_MATCH_1}")
    if(NOT name MATCHES "^_?symcf_")
      list(APPEND wrong "${file} defines ${name}")
    endif()
  endif()
endforeach()
if(wrong OR defined LESS 100)
  list(JOIN wrong "\n  " wrong)
  message(FATAL_ERROR "${defined} global symbols; not as they should be:\n  ${wrong}")
endif()
