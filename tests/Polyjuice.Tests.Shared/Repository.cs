namespace Polyjuice.Tests.Shared;

/// <summary>The repository's own files, for tests that look at them.</summary>
public static class Repository
{
    /// <summary>Its folder.</summary>
    public static string Root { get; } = Find();

    /// <summary>Where a file or folder of it is.</summary>
    /// <param name="path">From its root, with slashes.</param>
    public static string PathOf(string path) => Path.Combine(Root, path);

    /// <summary>What a file of it says.</summary>
    /// <param name="path">From its root, with slashes.</param>
    public static string Read(string path) => File.ReadAllText(PathOf(path));

    // Not by a caller's file path: deterministic builds, as
    // continuous integration makes them, leave no real path in it.
    private static string Find()
    {
        var folder = AppContext.BaseDirectory;
        while (!File.Exists(Path.Combine(folder, "Polyjuice.sln")))
            folder = Path.GetDirectoryName(folder)
                ?? throw new InvalidOperationException("These tests run inside of the repository.");
        return folder;
    }
}
