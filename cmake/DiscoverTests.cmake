# cmake -DPROGRAM=<test program> -DNAME=<its layer> -DFILE=<file for CTest> -P DiscoverTests.cmake
# Tells CTest each case of a doctest program: "layer: case", with the label "slow" or "full" if it is in the
# suite of that name. The program is started once a label, where doctest's own script starts it once a case.

# The names of the cases that pass these filters, one a line.
function(cases_of variable)
  execute_process(COMMAND ${PROGRAM} --list-test-cases ${ARGN}
    OUTPUT_VARIABLE cases COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX REPLACE "(^|\n)(\\[doctest\\]|===)[^\n]*" "" cases "${cases}")
  set(${variable} "${cases}" PARENT_SCOPE)
endfunction()

# Adds the cases, given one a line, to what is written to the file. They are no CMake list, which would
# be cut at the semicolons and brackets of a name.
function(add_cases cases label)
  while(cases MATCHES "^\n*([^\n]+)(.*)$")
    set(case "${CMAKE_MATCH_1}")
    set(cases "${CMAKE_MATCH_2}")
    string(REPLACE "," "\\," filter "${case}")  # to doctest, a bare comma starts another filter
    string(APPEND script
      "add_test([==[${NAME}: ${case}]==] [==[${PROGRAM}]==] [==[--test-case=${filter}]==])\n"
      "set_tests_properties([==[${NAME}: ${case}]==] PROPERTIES LABELS \"${label}\"\n"
      # One that says "skipped: why", because data or a program is absent, counts as skipped.
      "  SKIP_REGULAR_EXPRESSION \"MESSAGE: skipped: \"\n"
      # A name that is passed on wrongly runs nothing: that is a failure.
      "  FAIL_REGULAR_EXPRESSION \"test cases: +0 \")\n")
  endwhile()
  set(script "${script}" PARENT_SCOPE)
endfunction()

cases_of(fast --test-suite-exclude=slow,full)
set(script "")
add_cases("${fast}" "")
foreach(label slow full)
  cases_of(cases --test-suite=${label})
  add_cases("${cases}" ${label})
endforeach()
file(WRITE ${FILE} "${script}")
