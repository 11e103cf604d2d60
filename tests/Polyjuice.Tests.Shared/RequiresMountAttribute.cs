namespace Polyjuice.Tests.Shared;

/// <summary>
/// These tests mount small disks of their own, to fill them up and to take the
/// right to write away: on Linux, by who may mount. Elsewhere they are skipped.
/// </summary>
public sealed class RequiresMountAttribute : RequirementAttribute
{
    private static readonly Lazy<string?> s_missing = new(Find);

    /// <inheritdoc/>
    public override string? Missing => s_missing.Value;

    private static string? Find()
    {
        if (!OperatingSystem.IsLinux()) return "Small disks are mounted on Linux only.";
        try
        {
            using var disk = new SmallDisk(64);
            return null;
        }
        catch (Exception exception) when (exception is IOException or System.ComponentModel.Win32Exception)
        {
            return $"This process may not mount a disk of its own ({exception.Message}). Run the tests as root, or in "
                + "a container with CAP_SYS_ADMIN.";
        }
    }
}
