# Defines the target `cudd`, from the first of: CUDD_ROOT (an installed CUDD 3), CUDD_ARCHIVE (a local tarball), the
# download of FetchCUDD.cmake. A tarball, given or downloaded, is the pinned one, or the one whose hash is CUDD_SHA256. Whoever links `cudd` gets its include directories and, where they apply,
#   SYMCF_HAVE_CUDD_INTERNALS=1   cuddInt.h is there (CUDD is built from source)

include(cmake/FetchCUDD.cmake)

set(CUDD_ROOT "" CACHE PATH "Prefix of an installed CUDD 3")
set(CUDD_ARCHIVE "" CACHE FILEPATH "Tarball with CUDD 3.0.0's source")
set(CUDD_SHA256 "" CACHE STRING "SHA-256 of CUDD_ARCHIVE, if it is meant to be another than the pinned one")
foreach(name IN ITEMS CUDD_ROOT CUDD_ARCHIVE CUDD_SHA256)
  if(NOT ${name} AND DEFINED ENV{${name}})
    set(${name} "$ENV{${name}}")
  endif()
endforeach()

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

# Ends the build unless `archive` is the reviewed file, or the one that was asked for by its hash.
function(symcf_check_cudd archive)
  set(expected "${SYMCF_CUDD_SHA256}")
  if(CUDD_SHA256)
    string(TOLOWER "${CUDD_SHA256}" expected)
  endif()
  file(SHA256 "${archive}" found)
  if(NOT found STREQUAL expected)
    symcf_cudd_fail("${archive} is not the expected file.\n    expected SHA-256 ${expected}\n    found            ${found}\n    If this is the file you want: CUDD_SHA256=${found}")
  endif()
endfunction()

# Unpacks these folders of CUDD and its licence from `archive`, and nothing else of it, into `source`.
function(symcf_unpack_cudd archive source folders)
  file(SHA256 "${archive}" hash)
  list(JOIN folders "-" names)
  set(stamp "${source}/${hash}-${names}")
  if(EXISTS "${stamp}")
    return()
  endif()
  set(work "${source}.part")
  file(REMOVE_RECURSE "${work}" "${source}")
  file(MAKE_DIRECTORY "${work}")
  list(TRANSFORM folders REPLACE "(.+)" "*/\\1/*.[ch]" OUTPUT_VARIABLE patterns)
  # --touch: ninja compares times, and those in the archive are older than any object of a previous archive.
  execute_process(
    COMMAND "${CMAKE_COMMAND}" -E tar xf "${archive}" --touch -- ${patterns} "*/LICENSE"
    WORKING_DIRECTORY "${work}"
    RESULT_VARIABLE result
    OUTPUT_VARIABLE output
    ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    file(REMOVE_RECURSE "${work}")
    string(REGEX REPLACE "\n.*" "" why "${output}")
    symcf_cudd_fail("${archive} cannot be unpacked.\n    ${why}")
  endif()
  file(GLOB_RECURSE header "${work}/cudd.h")
  foreach(folder IN LISTS folders)
    cmake_path(SET root NORMALIZE "${header}/../..")
    file(GLOB found "${root}/${folder}/*.c")
    if(NOT found)
      file(REMOVE_RECURSE "${work}")
      symcf_cudd_fail("${archive} is not CUDD 3.0.0's source: no ${folder}/*.c in it.")
    endif()
    file(COPY "${root}/${folder}" DESTINATION "${source}")
  endforeach()
  file(COPY "${root}/LICENSE" DESTINATION "${source}")
  file(REMOVE_RECURSE "${work}")
  file(TOUCH "${stamp}")
endfunction()

# config.h sits where CUDD's own headers look for it: above its folders.
function(symcf_configure_cudd source)
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
  configure_file(cmake/cudd_config.h.in "${source}/config.h")
endfunction()

function(symcf_build_cudd)
  set(archive "${CUDD_ARCHIVE}")
  if(NOT archive)
    find_package(Python 3.11 REQUIRED COMPONENTS Interpreter)
    set(archive "${CMAKE_BINARY_DIR}/cudd.tar.gz")
    symcf_fetch_cudd("${archive}")
  elseif(NOT EXISTS "${archive}" OR IS_DIRECTORY "${archive}")
    symcf_cudd_fail("CUDD_ARCHIVE=${archive} is not a file.")
  endif()
  symcf_check_cudd("${archive}")
  set(source "${CMAKE_BINARY_DIR}/cudd-3.0.0")
  set(folders cudd epd mtr st util)
  if(SYMCF_TEST_DDDMP)
    symcf_unpack_cudd("${archive}" "${source}" "${folders};dddmp")
  else()
    symcf_unpack_cudd("${archive}" "${source}" "${folders}")
  endif()
  symcf_configure_cudd("${source}")
  message(STATUS "CUDD: from source, ${archive}")

  set(sources "")
  foreach(folder IN LISTS folders)
    file(GLOB found "${source}/${folder}/*.c")
    list(APPEND sources ${found})
  endforeach()
  list(FILTER sources EXCLUDE REGEX "/test[a-z]*\\.c$")

  add_library(cudd STATIC ${sources})
  list(TRANSFORM folders PREPEND "${source}/")
  target_include_directories(cudd SYSTEM PUBLIC "${source}" ${folders})
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
