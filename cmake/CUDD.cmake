# Defines the target `cudd`: from CUDD_ROOT (the prefix of an installed CUDD 3), or else from third_party/cudd, CUDD 3.0.0's
# files as they were copied (THIRD_PARTY.md). Whoever links `cudd` gets its include directories and, where they apply,
#   SYMCF_HAVE_CUDD_INTERNALS=1   cuddInt.h is there (CUDD is built from source)

set(CUDD_ROOT "" CACHE PATH "Prefix of an installed CUDD 3")
if(NOT CUDD_ROOT AND DEFINED ENV{CUDD_ROOT})
  set(CUDD_ROOT "$ENV{CUDD_ROOT}")
endif()
set(SYMCF_CUDD_SOURCE "${PROJECT_SOURCE_DIR}/third_party/cudd")

# Ends the build with `reason` and what CUDD_ROOT must be.
function(symcf_cudd_fail reason)
  # CMake wraps a paragraph again unless its lines are indented.
  message(FATAL_ERROR
    "symcf cannot use this CUDD: ${reason}\n"
    "  CUDD_ROOT (an option of CMake or an environment variable) is the prefix of an installed CUDD 3, with\n"
    "  include/cudd.h and lib/libcudd. Without it, CUDD is compiled from third_party/cudd.")
endfunction()

# An installed CUDD: checked here, because a wrong one would otherwise fail late and cryptically, at link or at import.
function(symcf_use_installed_cudd)
  find_path(CUDD_INCLUDE_DIR cudd.h HINTS "${CUDD_ROOT}" PATH_SUFFIXES include NO_DEFAULT_PATH NO_CACHE)
  # The static library first: a wheel with it inside needs no CUDD where it is installed.
  find_library(CUDD_LIBRARY NAMES libcudd.a cudd HINTS "${CUDD_ROOT}" PATH_SUFFIXES lib lib64 NO_DEFAULT_PATH NO_CACHE)
  if(NOT CUDD_INCLUDE_DIR OR NOT CUDD_LIBRARY)
    symcf_cudd_fail("CUDD_ROOT=${CUDD_ROOT} has no include/cudd.h or no lib/libcudd.")
  endif()
  # cudd.h carries no version number; this function came with 3.0.0.
  file(STRINGS "${CUDD_INCLUDE_DIR}/cudd.h" is_cudd_3 REGEX "Cudd_PrintSummary")
  if(NOT is_cudd_3)
    symcf_cudd_fail("${CUDD_INCLUDE_DIR}/cudd.h is not CUDD 3's.")
  endif()

  set(include_dirs "${CUDD_INCLUDE_DIR}")
  set(probe "#include <stddef.h>\n#include <stdio.h>\n#include <cudd.h>\n")
  set(call "Cudd_Init(0, 0, CUDD_UNIQUE_SLOTS, CUDD_CACHE_SLOTS, 0) != NULL")
  string(APPEND probe "int probe(void);\nint probe(void) { return ${call}; }\n")
  if(NOT APPLE)
    set(no_undefined -Wl,--no-undefined)
  endif()
  list(TRANSFORM include_dirs PREPEND "-I" OUTPUT_VARIABLE include_flags)
  try_compile(usable
    SOURCE_FROM_VAR probe.c probe
    COMPILE_DEFINITIONS -fPIC ${include_flags}
    LINK_OPTIONS -shared ${no_undefined}
    LINK_LIBRARIES "${CUDD_LIBRARY}" m
    OUTPUT_VARIABLE output)
  if(NOT usable)
    string(REPLACE ";" "," output "${output}")
    string(REGEX MATCHALL "[^\n]*(error|undefined|recompile with)[^\n]*" why "${output}")
    list(SUBLIST why 0 1 why)
    symcf_cudd_fail("${CUDD_LIBRARY} cannot be linked into a Python extension (configure CUDD with --with-pic).\n    ${why}")
  endif()

  message(STATUS "CUDD: ${CUDD_LIBRARY}")
  add_library(cudd INTERFACE)
  target_include_directories(cudd SYSTEM INTERFACE ${include_dirs})
  target_link_libraries(cudd INTERFACE "${CUDD_LIBRARY}" m)
endfunction()

# config.h, in `folder` of the build tree. Some of CUDD's files include "config.h", others "../config.h": for those a folder in it is
# searched, too, and has to be there.
function(symcf_configure_cudd folder)
  include(CheckIncludeFile)
  include(CheckSymbolExists)
  include(CheckTypeSize)
  set(CMAKE_REQUIRED_QUIET ON)
  check_type_size(int SIZEOF_INT BUILTIN_TYPES_ONLY)
  foreach(header IN ITEMS sys/resource.h sys/times.h sys/time.h sys/wait.h unistd.h)
    string(MAKE_C_IDENTIFIER "HAVE_${header}" macro)
    string(TOUPPER "${macro}" macro)
    check_include_file(${header} ${macro})
  endforeach()
  check_symbol_exists(getrlimit sys/resource.h HAVE_GETRLIMIT)
  check_symbol_exists(getrusage sys/resource.h HAVE_GETRUSAGE)
  check_symbol_exists(sysconf unistd.h HAVE_SYSCONF)
  configure_file(cmake/cudd_config.h.in "${folder}/config.h")
  file(MAKE_DIRECTORY "${folder}/below")
endfunction()

# The C files of these folders of CUDD's source, without those of its tests.
function(symcf_cudd_files result source)
  set(files "")
  foreach(folder IN LISTS ARGN)
    file(GLOB found "${source}/${folder}/*.c")
    list(APPEND files ${found})
  endforeach()
  list(FILTER files EXCLUDE REGEX "/test[a-z]*\\.c$")
  set(${result} ${files} PARENT_SCOPE)
endfunction()

function(symcf_build_cudd)
  set(source "${SYMCF_CUDD_SOURCE}")
  set(folders cudd epd mtr st util)
  set(config "${CMAKE_BINARY_DIR}/cudd")
  symcf_configure_cudd("${config}")
  symcf_cudd_files(sources "${source}" ${folders})
  message(STATUS "CUDD: from source, ${source}")

  add_library(cudd STATIC ${sources})
  list(TRANSFORM folders PREPEND "${source}/")
  target_include_directories(cudd SYSTEM PUBLIC "${config}" "${config}/below" ${folders})
  target_compile_definitions(cudd INTERFACE SYMCF_HAVE_CUDD_INTERNALS=1 PRIVATE NDEBUG)
  # All memory of CUDD comes from src/core/bdd_memory.c, which says why.
  target_compile_definitions(cudd PRIVATE
    malloc=symcf_cudd_malloc realloc=symcf_cudd_realloc free=symcf_cudd_free)
  # gnu99 is what CUDD was written in; its warnings are not ours to mend.
  set_target_properties(cudd PROPERTIES C_STANDARD 99 C_EXTENSIONS ON)
  target_compile_options(cudd PRIVATE -w)
  if(SYMCF_SANITIZE STREQUAL "threads")
    target_compile_options(cudd PRIVATE -O1 -fsanitize=thread -fno-omit-frame-pointer)
  elseif(SYMCF_SANITIZE)
    # Memory errors only: they show our misuse of CUDD. Its own undefined behaviour is harmless in practice and not ours.
    target_compile_options(cudd PRIVATE -O1 -fsanitize=address -fno-omit-frame-pointer)
  else()
    # Always optimised, even when symcf itself is built for debugging.
    target_compile_options(cudd PRIVATE -O3)
  endif()
  target_link_libraries(cudd PUBLIC m)
endfunction()

if(CUDD_ROOT)
  symcf_use_installed_cudd()
else()
  symcf_build_cudd()
endif()
