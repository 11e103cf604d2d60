namespace Tpcc.Tests.Policies;

/// <summary>Files of the repository that are tested as they are.</summary>
internal static class Repository
{
    /// <summary>Where a file is.</summary>
    /// <param name="file">From the repository's root.</param>
    public static string PathOf(string file)
    {
        var root = AppContext.BaseDirectory;
        while (!File.Exists(Path.Combine(root, "Polyjuice.sln"))) root = Path.GetDirectoryName(root) ?? throw new InvalidOperationException("These tests run inside of the repository.");
        return Path.Combine(root, file);
    }
}
