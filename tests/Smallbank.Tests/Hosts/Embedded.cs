namespace Smallbank.Tests;

/// <summary>What tests may expect of this host.</summary>
internal static class Expectations
{
    /// <summary>Whether no wait of a mix under a policy reaches its deadline, which is a safety net.</summary>
    public static bool NoWaitReachesItsDeadline(string policy, string mix) => true;
}
