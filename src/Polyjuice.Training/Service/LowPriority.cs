using System.Runtime.InteropServices;

namespace Polyjuice.Training.Service;

/// <summary>Has a thread give way to all others on the machine.</summary>
internal static class LowPriority
{
    private const int CallingThread = 0;
    private const int NicenessMax = 19;

    /// <summary>
    /// For the calling thread and, on Linux, those that it starts from now on.
    /// It is never undone, so the thread must be one's own, and not the pool's.
    /// </summary>
    public static void Begin()
    {
        Thread.CurrentThread.Priority = ThreadPriority.Lowest;

        // There, .NET's priorities have no effect, and each thread has a niceness of its own, which anybody may raise.
        // Where it can't be, the search is merely not as polite.
        if (OperatingSystem.IsLinux()) _ = SetPriority(CallingThread, 0, NicenessMax);
    }

    [DllImport("libc", EntryPoint = "setpriority")]
    private static extern int SetPriority(int which, uint who, int niceness);
}
