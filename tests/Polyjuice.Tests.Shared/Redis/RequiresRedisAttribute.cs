namespace Polyjuice.Tests.Shared;

/// <summary>
/// These tests run against a Redis server that they start. Without one they are skipped, and in continuous integration
/// they fail.
/// </summary>
public sealed class RequiresRedisAttribute : RequirementAttribute
{
    /// <inheritdoc/>
    public override string? Missing => InstalledPrograms.AreRequired ? null : RedisInstallation.Missing;
}
