/* test_control.c: texts, the clock, and when work is told to stop. */
#include "support.h"

static void every_status_has_a_text_of_its_own(void)
{
	for (int a = SYMCF_OK; a <= SYMCF_INTERNAL; a++) {
		const char *text = symcf_status_text((symcf_status)a);
		REQUIRE(text && *text);
		for (int b = SYMCF_OK; b < a; b++)
			CHECK(strcmp(text, symcf_status_text((symcf_status)b)) != 0);
	}
	CHECK_EQ_STR(symcf_status_text((symcf_status)99), "unknown status");
}

static void the_clock_never_goes_back(void)
{
	double before = symcf_clock();
	for (int i = 0; i < 1000; i++) {
		const double now = symcf_clock();
		CHECK(now >= before);
		before = now;
	}
}

static void without_limits_work_goes_on(void)
{
	symcf_control free_hand = {0};
	CHECK_EQ_INT(symcf_poll(NULL), SYMCF_OK);
	CHECK_EQ_INT(symcf_tick(NULL, UINT32_MAX), SYMCF_OK);
	for (int i = 0; i < 1000; i++)
		CHECK_EQ_INT(symcf_tick(&free_hand, UINT32_MAX), SYMCF_OK);
}

static void a_deadline_stops_work(void)
{
	symcf_control late = too_late(), early = {.deadline = symcf_clock() + 1e6};
	CHECK_EQ_INT(symcf_poll(&late), SYMCF_LIMIT_TIME);
	CHECK_EQ_INT(symcf_poll(&early), SYMCF_OK);
}

static void an_interruption_stops_work(void)
{
	uint32_t calls;
	symcf_control c = interrupting(&calls);
	CHECK_EQ_INT(symcf_poll(&c), SYMCF_INTERRUPTED);
	CHECK_EQ_INT(calls, 1);
}

/* Asking costs the interpreter's lock, so polls in quick succession ask once. */
static void the_caller_is_asked_now_and_then_only(void)
{
	uint32_t calls, polls = 0;
	symcf_control c = interrupting(&calls);
	const double start = symcf_clock();
	symcf_poll(&c);
	for (; symcf_clock() < start + 0.05; polls++)
		symcf_poll(&c);
	CHECK(calls >= 2 && calls <= 1 + (symcf_clock() - start) / 0.02);
	CHECK(polls > 10 * calls);
}

static void ticks_gather_before_they_poll(void)
{
	symcf_control late = too_late();
	CHECK_EQ_INT(symcf_tick(&late, 1), SYMCF_LIMIT_TIME); /* the first one does at once */
	uint32_t ticks = 0;
	while (symcf_tick(&late, 10) == SYMCF_OK)
		ticks++;
	CHECK(ticks > 100 && ticks < 1000000);
}

/* 1 GB takes 0.1 s and more to free, so work that holds as much is late 0.05 s before its end. */
static void freeing_takes_time_too(void)
{
	symcf_control c = {.deadline = symcf_clock() + 0.05, .max_memory = UINT64_C(1) << 31};
	CHECK_EQ_INT(symcf_hold(NULL, UINT64_MAX), SYMCF_OK);
	CHECK_EQ_INT(symcf_hold(&c, 1000), SYMCF_OK);
	CHECK_EQ_INT(c.memory, 1000);
	CHECK_EQ_INT(symcf_hold(&c, 10), SYMCF_OK);
	CHECK_EQ_INT(c.memory, 1000); /* the most at a time */
	CHECK_EQ_INT(symcf_hold(&c, UINT64_C(1) << 30), SYMCF_OK);
	CHECK_EQ_INT(symcf_poll(&c), SYMCF_LIMIT_TIME);
	CHECK_EQ_INT(symcf_hold(&c, (UINT64_C(1) << 31) + 1), SYMCF_LIMIT_MEMORY);
}

int main(void)
{
	RUN(every_status_has_a_text_of_its_own);
	RUN(the_clock_never_goes_back);
	RUN(without_limits_work_goes_on);
	RUN(a_deadline_stops_work);
	RUN(an_interruption_stops_work);
	RUN(the_caller_is_asked_now_and_then_only);
	RUN(ticks_gather_before_they_poll);
	RUN(freeing_takes_time_too);
	return check_report();
}
