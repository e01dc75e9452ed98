# symcf._core: the Cython binding, with the core and CUDD linked in.

find_package(Python REQUIRED COMPONENTS Interpreter Development.Module)

# cython writes the dependency file itself: every .pxd that _core.pyx came to import is followed, none is listed here.
# The module name is what repr, pickle and tracebacks say; the folder of the source would give another one.
add_custom_command(
  OUTPUT _core.c
  DEPENDS src/core/_core.pyx
  COMMAND "${Python_EXECUTABLE}" -m cython -3 --depfile
          --module-name symcf._core -I "${PROJECT_SOURCE_DIR}/src/core"
          "${PROJECT_SOURCE_DIR}/src/core/_core.pyx" --output-file "${CMAKE_CURRENT_BINARY_DIR}/_core.c"
  DEPFILE _core.c.dep
  VERBATIM)

python_add_library(_core MODULE WITH_SOABI "${CMAKE_CURRENT_BINARY_DIR}/_core.c")
target_link_libraries(_core PRIVATE symcf_core)
# Generated code: its warnings say nothing about ours.
target_compile_options(_core PRIVATE -w)
if(CMAKE_EXECUTABLE_FORMAT STREQUAL "ELF")
  # Hides what a CUDD_ROOT library exports, too; PyInit__core alone stays visible.
  target_link_options(_core PRIVATE -Wl,--exclude-libs,ALL)
endif()

install(TARGETS _core LIBRARY DESTINATION symcf)
