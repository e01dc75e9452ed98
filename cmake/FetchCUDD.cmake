# Where CUDD's source comes from when nobody hands us one, and the one message for when that fails.
#
# No package index carries CUDD by its own name. This sdist holds the whole CUDD 3.0.0 source tree, so it is fetched by
# name and hash through pip: whatever index, mirror, proxy or cache pip is configured for is used, and what arrives is
# what was reviewed or nothing at all.
#
# Included by CUDD.cmake. Also a script, for a Makefile that shares one download between several build trees:
#   cmake -DPython_EXECUTABLE=python3 -DARCHIVE=cudd.tar.gz -P cmake/FetchCUDD.cmake

set(SYMCF_CUDD_PACKAGE qiskit-sliqsim-provider)
set(SYMCF_CUDD_PACKAGE_VERSION 0.0.7)
set(SYMCF_CUDD_SHA256 2e0c0bdc3df6b9e2a98ef092b8e59be28165822c387456f9fb15106a74e111bf)

# Ends the build with `reason` and the three ways to provide CUDD.
function(symcf_cudd_fail reason)
  # One blank-free block: CMake re-wraps a paragraph unless its lines are indented.
  message(FATAL_ERROR
    "symcf cannot get CUDD 3: ${reason}\n"
    "There are three ways to provide it:\n"
    "  1. -DCUDD_ROOT=<prefix>     an installed CUDD 3 (include/cudd.h, lib/libcudd)\n"
    "  2. -DCUDD_ARCHIVE=<file>    a local ${SYMCF_CUDD_PACKAGE}-${SYMCF_CUDD_PACKAGE_VERSION}.tar.gz, or with -DCUDD_SHA256=<hash>\n"
    "                              another archive of CUDD 3.0.0's source, such as cudd-3.0.0.tar.gz\n"
    "  3. neither                  pip downloads ${SYMCF_CUDD_PACKAGE}==${SYMCF_CUDD_PACKAGE_VERSION}; needs a package index\n"
    "CUDD_ROOT, CUDD_ARCHIVE and CUDD_SHA256 may also be environment variables.")
endfunction()

# Ensures that `archive` is the pinned sdist; downloads it unless it is there already.
function(symcf_fetch_cudd archive)
  if(EXISTS "${archive}")
    file(SHA256 "${archive}" found)
    if(found STREQUAL SYMCF_CUDD_SHA256)
      return()
    endif()
  endif()

  # A directory of its own, then a rename: an interrupted or concurrent download never leaves half a file in place.
  string(RANDOM LENGTH 8 token)
  set(work "${archive}.${token}")
  file(WRITE "${work}/requirements.txt"
    "${SYMCF_CUDD_PACKAGE}==${SYMCF_CUDD_PACKAGE_VERSION} --hash=sha256:${SYMCF_CUDD_SHA256}\n")
  message(STATUS "Downloading CUDD 3.0.0 (in ${SYMCF_CUDD_PACKAGE}==${SYMCF_CUDD_PACKAGE_VERSION})")
  # --no-binary names the one package: pip may still use wheels for what it needs to read that package's metadata.
  execute_process(
    COMMAND "${Python_EXECUTABLE}" -m pip --disable-pip-version-check --no-input download --quiet --no-deps
            --no-binary ${SYMCF_CUDD_PACKAGE} --require-hashes
            --dest "${work}" --requirement "${work}/requirements.txt"
    RESULT_VARIABLE result
    OUTPUT_VARIABLE output
    ERROR_VARIABLE output)
  file(GLOB sdist "${work}/*.tar.gz")
  if(NOT result EQUAL 0 OR NOT sdist)
    file(REMOVE_RECURSE "${work}")
    # pip says much; only these lines say why.
    string(REPLACE ";" "," output "${output}")
    if(output MATCHES "DO NOT MATCH THE HASHES")
      set(reason "what the package index sent is not the pinned file.")
      string(REGEX MATCHALL "(Expected sha256|Got  )[^\n]*" why "${output}")
    else()
      set(reason "the download by pip failed.")
      string(REGEX MATCHALL "(ERROR:|No module named)[^\n]*" why "${output}")
    endif()
    list(JOIN why "\n    " why)
    symcf_cudd_fail("${reason}\n    ${why}")
  endif()
  file(RENAME "${sdist}" "${archive}")
  file(REMOVE_RECURSE "${work}")
endfunction()

if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  get_filename_component(ARCHIVE "${ARCHIVE}" ABSOLUTE)
  symcf_fetch_cudd("${ARCHIVE}")
endif()
