/*
 * calls: what each system call comes to for a bot. What is not named here does not exist for it (ENOSYS): a newer
 * kernel's call is no way out, and libraries fall back to an older one. Numbers from 424 on are the same everywhere,
 * and written out because the system's headers may lack them.
 */
#ifndef AGON_CALLS_H
#define AGON_CALLS_H
#include <stdint.h>
#include <sys/syscall.h>

/* What programs and the libraries of their languages use: files, memory, processes, signals, time, sockets of the sandbox. */
static const uint16_t passed[] = {
    SYS_read, SYS_write, SYS_close, SYS_fstat, SYS_lseek, SYS_mmap, SYS_mprotect, SYS_munmap, SYS_brk, SYS_rt_sigaction,
    SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_pread64, SYS_pwrite64, SYS_readv, SYS_writev, SYS_sched_yield, SYS_mremap, SYS_msync,
    SYS_madvise, SYS_dup, SYS_nanosleep, SYS_getitimer, SYS_setitimer, SYS_getpid, SYS_sendfile, SYS_connect,
    SYS_accept, SYS_sendto, SYS_recvfrom, SYS_sendmsg, SYS_recvmsg, SYS_shutdown, SYS_bind, SYS_listen, SYS_getsockname,
    SYS_getpeername, SYS_socketpair, SYS_setsockopt, SYS_getsockopt, SYS_execve, SYS_exit, SYS_wait4, SYS_kill, SYS_uname, SYS_fsync,
    SYS_fdatasync, SYS_truncate, SYS_ftruncate, SYS_getcwd, SYS_chdir, SYS_fchdir, SYS_fchmod, SYS_fchown, SYS_umask,
    SYS_gettimeofday, SYS_getrlimit, SYS_setrlimit, SYS_getrusage, SYS_sysinfo, SYS_times, SYS_getuid, SYS_getgid, SYS_setuid,
    SYS_setgid, SYS_geteuid, SYS_getegid, SYS_setpgid, SYS_getppid, SYS_setsid, SYS_setreuid, SYS_setregid, SYS_getgroups,
    SYS_setgroups, SYS_setresuid, SYS_getresuid, SYS_setresgid, SYS_getresgid, SYS_getpgid, SYS_setfsuid, SYS_setfsgid, SYS_getsid,
    SYS_capget, SYS_capset, SYS_rt_sigpending, SYS_rt_sigtimedwait, SYS_rt_sigqueueinfo, SYS_rt_sigsuspend, SYS_sigaltstack,
    SYS_statfs, SYS_fstatfs, SYS_getpriority, SYS_sched_getparam, SYS_sched_getscheduler, SYS_sched_get_priority_max,
    SYS_sched_get_priority_min, SYS_sched_rr_get_interval, SYS_mlock, SYS_munlock, SYS_mlockall, SYS_munlockall, SYS_gettid,
    SYS_getxattr, SYS_lgetxattr, SYS_fgetxattr, SYS_listxattr, SYS_llistxattr, SYS_flistxattr, SYS_tkill, SYS_futex,
    SYS_sched_getaffinity, SYS_getdents64, SYS_set_tid_address, SYS_restart_syscall, SYS_timer_create,
    SYS_timer_settime, SYS_timer_gettime, SYS_timer_getoverrun, SYS_timer_delete, SYS_clock_gettime, SYS_clock_getres,
    SYS_clock_nanosleep, SYS_exit_group, SYS_epoll_ctl, SYS_tgkill, SYS_mbind, SYS_set_mempolicy, SYS_get_mempolicy, SYS_waitid,
    SYS_ioprio_get, SYS_openat, SYS_mkdirat, SYS_mknodat, SYS_fchownat, SYS_newfstatat, SYS_unlinkat, SYS_linkat, SYS_symlinkat,
    SYS_readlinkat, SYS_fchmodat, SYS_faccessat, SYS_pselect6, SYS_ppoll, SYS_set_robust_list, SYS_get_robust_list, SYS_splice,
    SYS_tee, SYS_vmsplice, SYS_sync_file_range, SYS_utimensat, SYS_epoll_pwait, SYS_fallocate, SYS_timerfd_create,
    SYS_timerfd_settime, SYS_timerfd_gettime, SYS_accept4, SYS_signalfd4, SYS_eventfd2, SYS_epoll_create1, SYS_dup3, SYS_pipe2,
    SYS_preadv, SYS_pwritev, SYS_rt_tgsigqueueinfo, SYS_recvmmsg, SYS_sendmmsg, SYS_getcpu, SYS_sched_getattr, SYS_renameat2,
    SYS_getrandom, SYS_execveat, SYS_membarrier, SYS_mlock2, SYS_copy_file_range, SYS_pkey_mprotect,
    SYS_pkey_alloc, SYS_pkey_free, SYS_statx, SYS_rseq, 424 /* pidfd_send_signal */, 434 /* pidfd_open */, 436 /* close_range */,
    439 /* faccessat2 */, 441 /* epoll_pwait2 */, 449 /* futex_waitv */, 452 /* fchmodat2 */, 454, 455, 456 /* futexes */,
    462 /* mseal */,
    /* as far as their arguments allow (restrictions.c) */ SYS_clone, SYS_prlimit64,
#ifdef SYS_renameat
    SYS_renameat,
#endif
#ifdef __x86_64__
    SYS_open, SYS_stat, SYS_lstat, SYS_poll, SYS_access, SYS_pipe, SYS_select, SYS_dup2, SYS_pause, SYS_alarm, SYS_fork, SYS_vfork,
    SYS_getdents, SYS_rename, SYS_mkdir, SYS_rmdir, SYS_creat, SYS_link, SYS_unlink, SYS_symlink, SYS_readlink, SYS_chmod, SYS_chown,
    SYS_lchown, SYS_getpgrp, SYS_utime, SYS_mknod, SYS_arch_prctl, SYS_time, SYS_epoll_create, SYS_epoll_wait, SYS_utimes,
    SYS_futimesat, SYS_signalfd, SYS_eventfd,
#endif
};

/*
 * Not permitted (EPERM): what reaches for the host, outlives a turn, shows in another sandbox, or acts on another
 * process.
 */
static const uint16_t refused[] = {
    SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, 438 /* pidfd_getfd */, SYS_mount, SYS_umount2, SYS_pivot_root,
    SYS_chroot, SYS_setns, SYS_unshare, 428, 429, 430, 431, 432, 433, 442 /* the new mount calls */, SYS_bpf, SYS_perf_event_open,
    SYS_userfaultfd, SYS_keyctl, SYS_add_key, SYS_request_key, SYS_init_module, SYS_finit_module, SYS_delete_module, SYS_kexec_load,
    SYS_reboot, SYS_swapon, SYS_swapoff, SYS_settimeofday, SYS_clock_settime, SYS_adjtimex, SYS_clock_adjtime, SYS_syslog, SYS_acct,
    SYS_quotactl, SYS_open_by_handle_at, SYS_name_to_handle_at, SYS_sethostname, SYS_setdomainname, SYS_shmget, SYS_semget,
    SYS_msgget, SYS_mq_open, SYS_fanotify_init, SYS_vhangup, SYS_seccomp,
#ifdef SYS_kexec_file_load
    SYS_kexec_file_load,
#endif
#ifdef __x86_64__
    SYS_iopl, SYS_ioperm, SYS_modify_ldt,
#endif
};

/*
 * Attributes of files, which outlive their contents: as on a file system without any (EOPNOTSUPP), so copying goes on.
 */
static const uint16_t unsupported[] = {SYS_fsetxattr, SYS_setxattr, SYS_lsetxattr, SYS_fremovexattr, SYS_removexattr,
                                       SYS_lremovexattr, 463, 466 /* setxattrat, removexattrat */};

/*
 * What succeeds and does nothing. A bot keeps its core and priority: a task of low priority would wait for strangers at
 * will. On a file that sandboxes share a lock would be seen in the other, and advice would move it in or out of the
 * machine's memory. Java warns on standard output where it may not lock.
 */
static const uint16_t ignored[] = {SYS_sched_setaffinity, SYS_sched_setparam, SYS_sched_setscheduler, SYS_sched_setattr,
                                   SYS_setpriority, SYS_ioprio_set, SYS_flock, SYS_sync, SYS_syncfs,
                                   SYS_fadvise64, SYS_readahead};

/*
 * What a descriptor can be asked: copies, flags (but O_ASYNC), the size of a pipe. No leases, watches, hints or seals;
 * no signal when it can be read: the kernel would send it while the bot is suspended, as soon as agon reads what it
 * printed.
 */
static const uint32_t fcntls[] = {0, 1, 2, 3, 4, 9, 11, 16, 1027, 1030, 1032};
/* Locks, which succeed and do nothing: F_SETLK, F_SETLKW, and those of an open file. */
static const uint32_t locks[] = {6, 7, 37, 38};

/*
 * Of terminals, descriptors and the sandbox's empty network; no flags or attributes of files, no signals. By the last
 * two the launcher learns who kills: a bot has no descriptor that knows them.
 */
static const uint32_t ioctls[] = {
    0x5401, 0x5402, 0x5403, 0x5404, 0x5405, 0x540b, 0x540e, 0x540f, 0x5410, 0x5411, 0x5413, 0x5414, 0x541b, 0x5421, 0x5422, 0x5429,
    0x5450, 0x5451, 0x8903, 0x8904, 0x8910, 0x8912, 0x8913, 0x8915, 0x8917, 0x8919, 0x891b, 0x8921, 0x8927,
    0x8933, 0x8942, 0xc0502100, 0xc0182101};

/* A process's name, its parent's end, its memory and capabilities. Not its filters (22) or its core's cookie (62). */
static const uint32_t prctls[] = {1, 2, 3, 4, 7, 8, 15, 16, 21, 23, 25, 29, 30, 33, 34, 36, 37, 38, 39, 40, 41, 42, 47, 50, 51, 52, 53,
                                  54, 55, 56, 63, 64, 65, 66, 0x53564d41, 0x59616d61};
/* Only a usual system's (0), the question what it is, and addresses that are not random. */
static const uint32_t personalities[] = {0, 0xffffffff, 0x40000};
/*
 * unix alone: buffers of internet and netlink sockets are the whole machine's and count for no sandbox, which has no
 * network anyway. Others fail as where the kernel has no such network (EAFNOSUPPORT).
 */
static const uint32_t families[] = {1};
/* Of a read or write: none, or high priority, data sync, sync, append. Not RWF_NOWAIT, which shows what others have read of a file. */
static const uint32_t transfers[] = {0, 1, 2, 4, 16};

enum { CALLS = 512 };
#endif
