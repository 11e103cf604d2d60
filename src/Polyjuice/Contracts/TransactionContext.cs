using Polyjuice.Contracts;

namespace Polyjuice;

/// <summary>What a grain's code may ask of the transaction that it runs in.</summary>
public static class TransactionContext
{
    private static Func<IAmbientCall?> s_ambient = static () => null;

    /// <summary>
    /// Whether the code runs in a dry run: nothing that it writes to transactional state will last, and another run
    /// follows. What has effects elsewhere (a mail, a call to a service) should not be done then.
    /// <see langword="false"/> outside of transactions. Thread-safe.
    /// </summary>
    public static bool IsReconnaissance => s_ambient() is { IsReconnaissance: true };

    /// <summary>
    /// For hosts: how the call is found that is ambient where it is asked for. One host in a process.
    /// </summary>
    /// <param name="ambient">Thread-safe.</param>
    internal static void Use(Func<IAmbientCall?> ambient) => s_ambient = ambient;
}
