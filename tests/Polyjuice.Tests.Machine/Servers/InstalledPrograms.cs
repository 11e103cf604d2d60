namespace Polyjuice.Tests.Shared;

/// <summary>Programs of this machine that tests start. Nothing is downloaded.</summary>
public static class InstalledPrograms
{
    /// <summary>Whether somebody relies on tests having run that need one.</summary>
    public static bool AreRequired =>
        string.Equals(Environment.GetEnvironmentVariable("CI"), "true", StringComparison.OrdinalIgnoreCase);

    /// <summary>The folders of the path.</summary>
    public static IReadOnlyList<string> Path => (Environment.GetEnvironmentVariable("PATH") ?? "").Split(
        System.IO.Path.PathSeparator, StringSplitOptions.RemoveEmptyEntries);

    /// <summary>Where a program is that runs on Unix; <see langword="null"/> if it is not here.</summary>
    /// <param name="variable">
    /// The environment variable that may name it. What it names counts, and nothing else then.
    /// </param>
    /// <param name="name">Its name in a folder of the path.</param>
    /// <param name="folders">Others to look in, after those.</param>
    public static string? Find(string variable, string name, params IEnumerable<string> folders)
    {
        if (OperatingSystem.IsWindows()) return null;
        if (Environment.GetEnvironmentVariable(variable) is { Length: > 0 } named)
            return File.Exists(named) ? named : null;
        return Path.Concat(folders).Select(folder => System.IO.Path.Combine(folder, name)).FirstOrDefault(File.Exists);
    }
}
