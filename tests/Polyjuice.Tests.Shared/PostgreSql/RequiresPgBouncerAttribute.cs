namespace Polyjuice.Tests.Shared;

/// <summary>
/// These tests start a PgBouncer before a PostgreSQL server that they start as well. Without one of them they are
/// skipped, and in continuous integration they fail.
/// </summary>
public sealed class RequiresPgBouncerAttribute : RequirementAttribute
{
    /// <inheritdoc/>
    public override string? Missing => InstalledPrograms.AreRequired
        ? null
        : PostgreSqlInstallation.Missing ?? PgBouncerInstallation.Missing;
}
