namespace Polyjuice.Tests.Shared;

/// <summary>
/// These tests run against a PostgreSQL server that they start. Without one they are skipped, and in continuous
/// integration they fail.
/// </summary>
public sealed class RequiresPostgreSqlAttribute : RequirementAttribute
{
    /// <inheritdoc/>
    public override string? Missing => InstalledPrograms.AreRequired ? null : PostgreSqlInstallation.Missing;
}
