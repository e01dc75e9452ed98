/* platform.c: see platform.h. Two parts: Windows, and all others. */
#define _GNU_SOURCE
#define _DARWIN_C_SOURCE
#include "platform.h"

#include <string.h>

#include "symcf.h"

#ifdef _WIN32

#include <windows.h>

#include <psapi.h>

/* -------------------------------------------------------------------- Windows ---------------- */

double symcf_clock(void)
{
	LARGE_INTEGER now, second;
	QueryPerformanceCounter(&now);
	QueryPerformanceFrequency(&second);
	return (double)now.QuadPart / (double)second.QuadPart;
}

/* Both are one pointer, which may be cleared at any time that nobody holds or waits. */
_Static_assert(sizeof(symcf_lock) == sizeof(SRWLOCK), "a lock is one pointer");
_Static_assert(sizeof(symcf_condition) == sizeof(CONDITION_VARIABLE), "a condition is one pointer");

bool symcf_lock_open(symcf_lock *lock, symcf_condition *changed)
{
	InitializeSRWLock((PSRWLOCK)lock);
	InitializeConditionVariable((PCONDITION_VARIABLE)changed);
	return true;
}

void symcf_lock_close(symcf_lock *lock, symcf_condition *changed)
{
	(void)lock, (void)changed;
}

void symcf_lock_take(symcf_lock *lock)
{
	AcquireSRWLockExclusive((PSRWLOCK)lock);
}

bool symcf_lock_try(symcf_lock *lock)
{
	return TryAcquireSRWLockExclusive((PSRWLOCK)lock);
}

void symcf_lock_release(symcf_lock *lock)
{
	ReleaseSRWLockExclusive((PSRWLOCK)lock);
}

void symcf_condition_signal(symcf_condition *changed)
{
	WakeAllConditionVariable((PCONDITION_VARIABLE)changed);
}

void symcf_condition_wait(symcf_condition *changed, symcf_lock *lock, double seconds)
{
	SleepConditionVariableSRW((PCONDITION_VARIABLE)changed, (PSRWLOCK)lock,
	                          (DWORD)(1e3 * seconds) + 1, 0);
}

uint64_t symcf_page_size(void)
{
	SYSTEM_INFO information;
	GetSystemInfo(&information);
	return information.dwPageSize;
}

uint64_t symcf_physical_memory(void)
{
	MEMORYSTATUSEX status = {.dwLength = sizeof status};
	return GlobalMemoryStatusEx(&status) ? status.ullTotalPhys : UINT64_MAX;
}

uint64_t symcf_resident_memory(void)
{
	PROCESS_MEMORY_COUNTERS counters;
	return K32GetProcessMemoryInfo(GetCurrentProcess(), &counters, sizeof counters)
			   ? counters.WorkingSetSize
			   : 0;
}

bool symcf_can_map(uint64_t bytes)
{
	void *probe = VirtualAlloc(NULL, bytes, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
	return probe && VirtualFree(probe, 0, MEM_RELEASE);
}

void symcf_wish_huge(void *data, uint64_t from, uint64_t to)
{
	(void)data, (void)from, (void)to;
}

void *symcf_map_open(uint64_t bytes, uint64_t offset, uint64_t unit)
{
	(void)offset, (void)unit;
	return VirtualAlloc(NULL, bytes, MEM_RESERVE, PAGE_READWRITE);
}

bool symcf_map_commit(void *data, uint64_t from, uint64_t to)
{
	return from >= to || VirtualAlloc((char *)data + from, to - from, MEM_COMMIT, PAGE_READWRITE);
}

/* A reservation is given back as a whole. */
void symcf_map_drop(void *data, uint64_t from, uint64_t to)
{
	if (!from)
		VirtualFree(data, 0, MEM_RELEASE);
	else if (from < to)
		VirtualFree((char *)data + from, to - from, MEM_DECOMMIT);
}

void *symcf_library_open(const char *path)
{
	HMODULE library = NULL;
	return GetModuleHandleExA(0, path, &library) ? (void *)library : NULL;
}

void *symcf_library_find(void *library, const char *name)
{
	const FARPROC found = GetProcAddress((HMODULE)library, name);
	void *address;
	memcpy(&address, &found, sizeof address);
	return address;
}

void symcf_library_close(void *library)
{
	if (library)
		FreeLibrary((HMODULE)library);
}

#else

#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#ifdef __APPLE__
#include <mach/mach.h>
#endif

#ifndef MAP_NORESERVE
#define MAP_NORESERVE 0 /* systems that never reserve */
#endif

/* ------------------------------------------------------------- POSIX: clock, threads --------- */

double symcf_clock(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static struct timespec timespec_of(double seconds)
{
	const time_t whole = (time_t)seconds;
	return (struct timespec){whole, (long)(1e9 * (seconds - (double)whole))};
}

#ifdef __APPLE__

static bool open_condition(symcf_condition *changed)
{
	return pthread_cond_init(changed, NULL) == 0;
}

void symcf_condition_wait(symcf_condition *changed, symcf_lock *lock, double seconds)
{
	const struct timespec t = timespec_of(seconds);
	pthread_cond_timedwait_relative_np(changed, lock, &t);
}

#else

/* The condition goes by the clock of symcf_clock. */
static bool open_condition(symcf_condition *changed)
{
	pthread_condattr_t attribute;
	if (pthread_condattr_init(&attribute) != 0)
		return false;
	const bool opened = pthread_condattr_setclock(&attribute, CLOCK_MONOTONIC) == 0 &&
	                    pthread_cond_init(changed, &attribute) == 0;
	pthread_condattr_destroy(&attribute);
	return opened;
}

void symcf_condition_wait(symcf_condition *changed, symcf_lock *lock, double seconds)
{
	const struct timespec t = timespec_of(symcf_clock() + seconds);
	pthread_cond_timedwait(changed, lock, &t);
}

#endif

bool symcf_lock_open(symcf_lock *lock, symcf_condition *changed)
{
	if (pthread_mutex_init(lock, NULL) != 0)
		return false;
	if (open_condition(changed))
		return true;
	pthread_mutex_destroy(lock);
	return false;
}

void symcf_lock_close(symcf_lock *lock, symcf_condition *changed)
{
	pthread_cond_destroy(changed);
	pthread_mutex_destroy(lock);
}

void symcf_lock_take(symcf_lock *lock)
{
	pthread_mutex_lock(lock);
}

bool symcf_lock_try(symcf_lock *lock)
{
	return pthread_mutex_trylock(lock) == 0;
}

void symcf_lock_release(symcf_lock *lock)
{
	pthread_mutex_unlock(lock);
}

void symcf_condition_signal(symcf_condition *changed)
{
	pthread_cond_broadcast(changed);
}

/* ------------------------------------------------------------------ POSIX: memory ------------ */

uint64_t symcf_page_size(void)
{
	return (uint64_t)sysconf(_SC_PAGESIZE);
}

uint64_t symcf_physical_memory(void)
{
	const long pages = sysconf(_SC_PHYS_PAGES);
	return pages > 0 ? (uint64_t)pages * symcf_page_size() : UINT64_MAX;
}

#if defined(__linux__)

uint64_t symcf_resident_memory(void)
{
	char text[64];
	const int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
	const ssize_t length = file < 0 ? -1 : read(file, text, sizeof text - 1);
	if (file >= 0)
		close(file);
	if (length <= 0)
		return 0;
	text[length] = 0;
	char *second = strchr(text, ' ');
	return second ? strtoull(second, NULL, 10) * symcf_page_size() : 0;
}

#elif defined(__APPLE__)

uint64_t symcf_resident_memory(void)
{
	mach_task_basic_info_data_t information;
	mach_msg_type_number_t count = MACH_TASK_BASIC_INFO_COUNT;
	const kern_return_t result =
		task_info(mach_task_self(), MACH_TASK_BASIC_INFO, (task_info_t)&information, &count);
	return result == KERN_SUCCESS ? information.resident_size : 0;
}

#else

uint64_t symcf_resident_memory(void)
{
	return 0;
}

#endif

/* flags: besides those of memory of one's own. NULL if there is none. */
static void *map(void *place, uint64_t bytes, int flags)
{
	void *data =
		mmap(place, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);
	return data == MAP_FAILED ? NULL : data;
}

bool symcf_can_map(uint64_t bytes)
{
	void *probe = map(NULL, bytes, 0);
	return probe && munmap(probe, bytes) == 0;
}

void symcf_wish_huge(void *data, uint64_t from, uint64_t to)
{
#ifdef MADV_HUGEPAGE
	if (from < to)
		madvise((char *)data + from, to - from, MADV_HUGEPAGE);
#else
	(void)data, (void)from, (void)to;
#endif
}

void *symcf_map_open(uint64_t bytes, uint64_t offset, uint64_t unit)
{
	char *data = map(NULL, bytes + unit, MAP_NORESERVE);
	if (!data)
		return NULL;
	const uint64_t before = -((uintptr_t)data + offset) % unit;
	symcf_map_drop(data, 0, before);
	symcf_map_drop(data, before + bytes, bytes + unit);
	return data + before;
}

bool symcf_map_commit(void *data, uint64_t from, uint64_t to)
{
	(void)data, (void)from, (void)to;
	return true;
}

void symcf_map_drop(void *data, uint64_t from, uint64_t to)
{
	if (from < to)
		munmap((char *)data + from, to - from);
}

/* ----------------------------------------------------------------- POSIX: libraries ---------- */

void *symcf_library_open(const char *path)
{
	return dlopen(path, RTLD_LAZY | RTLD_LOCAL | RTLD_NOLOAD);
}

void *symcf_library_find(void *library, const char *name)
{
	return dlsym(library, name);
}

void symcf_library_close(void *library)
{
	if (library)
		dlclose(library);
}

#endif

/* ------------------------------------------------------------- Linux: moving pages ----------- */

#if defined(MREMAP_FIXED) && defined(MADV_FREE)

bool symcf_map_moves(void)
{
	return true;
}

bool symcf_map_mark_free(void *data, uint64_t bytes)
{
	return madvise(data, bytes, MADV_FREE) == 0;
}

bool symcf_map_move(void *data, uint64_t bytes, void *place, bool *moved)
{
	*moved = mremap(data, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, place) == place;
	if (*moved)
		return true;
	munmap(data, bytes);
	/* it may have made room before it failed */
	return map(place, bytes, MAP_NORESERVE | MAP_FIXED) == place;
}

#else

bool symcf_map_moves(void)
{
	return false;
}

bool symcf_map_mark_free(void *data, uint64_t bytes)
{
	(void)data, (void)bytes;
	return false;
}

bool symcf_map_move(void *data, uint64_t bytes, void *place, bool *moved)
{
	(void)data, (void)bytes, (void)place;
	*moved = false;
	return true;
}

#endif
