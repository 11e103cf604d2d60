namespace Polyjuice.LiveView.Tests.Page;

/// <summary>
/// Where Chromium is on this machine: what the environment
/// variable names, or what is on the path. Nothing is downloaded.
/// </summary>
internal static class ChromiumInstallation
{
    /// <summary>The environment variable that names another one.</summary>
    public const string Variable = "CHROMIUM";

    private static readonly string[] _names = ["chromium", "chromium-browser", "google-chrome", "chrome"];

    /// <summary>The program; <see langword="null"/> if there is none.</summary>
    public static string? Path { get; } = Find();

    /// <summary>What is missing, and what to do; <see langword="null"/> if it can be started.</summary>
    public static string? Missing =>
        Path is not null
            ? null
            : $"There is no Chromium on the path. Install it (Debian: apt-get install chromium), or set {Variable} to "
                + "the program, and run the tests again.";

    /// <summary>Whether somebody relies on these tests having run.</summary>
    public static bool IsRequired =>
        string.Equals(Environment.GetEnvironmentVariable("CI"), "true", StringComparison.OrdinalIgnoreCase);

    private static string? Find()
    {
        if (Environment.GetEnvironmentVariable(Variable) is { Length: > 0 } named)
            return File.Exists(named) ? named : null;
        var suffix = OperatingSystem.IsWindows() ? ".exe" : "";
        var folders = (Environment.GetEnvironmentVariable("PATH") ?? "").Split(
            System.IO.Path.PathSeparator, StringSplitOptions.RemoveEmptyEntries);
        return folders.SelectMany(folder => _names.Select(name => System.IO.Path.Combine(folder, name + suffix)))
            .FirstOrDefault(File.Exists);
    }
}

/// <summary>
/// These tests look at the page in Chromium. Without it they are skipped, and in continuous integration they fail.
/// </summary>
public sealed class RequiresChromiumAttribute : RequirementAttribute
{
    /// <inheritdoc/>
    public override string? Missing => ChromiumInstallation.IsRequired ? null : ChromiumInstallation.Missing;
}
