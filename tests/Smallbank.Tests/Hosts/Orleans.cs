namespace Smallbank.Tests;

/// <summary>What tests may expect of this host.</summary>
internal static class Expectations
{
    /// <summary>
    /// Whether no wait of a mix under a policy reaches its deadline, which is a safety net. Where accounts on two silos are locked in parallel, some do still: docs/orleans.md names that among what is missing.
    /// </summary>
    public static bool NoWaitReachesItsDeadline(string policy, string mix) => (policy, mix) is not ("locking" or "2pl-star", "multitransfer");
}
