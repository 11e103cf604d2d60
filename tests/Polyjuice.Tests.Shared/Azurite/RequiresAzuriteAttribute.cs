namespace Polyjuice.Tests.Shared;

/// <summary>
/// These tests run against Azurite. Without it they are skipped, and in continuous integration they fail.
/// </summary>
public sealed class RequiresAzuriteAttribute : RequirementAttribute
{
    /// <inheritdoc/>
    public override string? Missing => InstalledPrograms.AreRequired ? null : AzuriteInstallation.Missing;
}
