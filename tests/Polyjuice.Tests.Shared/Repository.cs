namespace Polyjuice.Tests.Shared;

/// <summary>The repository's own files, for tests that look at them.</summary>
public static class Repository
{
    /// <summary>Where a file or folder of it is.</summary>
    /// <param name="path">From its root, with slashes.</param>
    public static string PathOf(string path)
    {
        var folder = AppContext.BaseDirectory;
        while (!File.Exists(Path.Combine(folder, "Polyjuice.sln")))
            folder = Path.GetDirectoryName(folder) ?? throw new InvalidOperationException("These tests run inside of the repository.");
        return Path.Combine(folder, path);
    }
}
