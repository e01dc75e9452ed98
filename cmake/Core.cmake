# symcf_add_core(<name>): the C core as a static library.

set(SYMCF_WARNINGS
  -Wall -Wextra -Wshadow -Wpointer-arith -Wstrict-prototypes -Wmissing-prototypes -Wold-style-definition
  -Wwrite-strings -Wvla -Wformat=2)

if(SYMCF_SANITIZE STREQUAL "threads")
  set(SYMCF_SANITIZE_FLAGS -fsanitize=thread -fno-omit-frame-pointer)
  add_link_options(-fsanitize=thread)
elseif(SYMCF_SANITIZE)
  # A test that went on after an error would pass.
  set(SYMCF_SANITIZE_FLAGS -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
endif()

# Language, warnings and sanitizers of the C files we wrote.
function(symcf_own_c target)
  set_target_properties(${target} PROPERTIES C_STANDARD 11 C_STANDARD_REQUIRED ON C_EXTENSIONS OFF)
  target_compile_options(${target} PRIVATE ${SYMCF_WARNINGS} ${SYMCF_SANITIZE_FLAGS})
endfunction()

function(symcf_add_core name)
  add_library(${name} STATIC ${SYMCF_CORE_SOURCES})
  target_include_directories(${name} PUBLIC "${PROJECT_SOURCE_DIR}/src/core")
  target_link_libraries(${name} PRIVATE cudd PUBLIC ${CMAKE_DL_LIBS} m)
  symcf_own_c(${name})
  # Exactness is the promise: no integer of the core narrows silently.
  target_compile_options(${name} PRIVATE -Wconversion)
  # What clang adds to that are numbers in the place of conditions.
  if(CMAKE_C_COMPILER_ID MATCHES "Clang")
    target_compile_options(${name} PRIVATE -Wno-float-conversion -Wno-enum-float-conversion -Wno-string-conversion)
  endif()
endfunction()
