using TpccSilo.Api;

namespace SiloHosting.Tests;

/// <summary>What this project's silos serve.</summary>
internal static class SiloUnderTest
{
    public static SiloApplication Application => TpccApi.Application;
}
