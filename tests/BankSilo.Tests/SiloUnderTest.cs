using BankSilo.Api;

namespace SiloHosting.Tests;

/// <summary>What this project's silos serve.</summary>
internal static class SiloUnderTest
{
    public static SiloApplication Application => BankApi.Application;
}
