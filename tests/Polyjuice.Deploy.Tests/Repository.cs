namespace Polyjuice.Deploy.Tests;

/// <summary>The files of this repository.</summary>
internal static class Repository
{
    public static string Root { get; } = Find();

    public static string Read(string path) => File.ReadAllText(Path.Combine(Root, path));

    private static string Find()
    {
        var folder = AppContext.BaseDirectory;
        while (!File.Exists(Path.Combine(folder, "Polyjuice.sln")))
            folder = Path.GetDirectoryName(folder) ?? throw new InvalidOperationException("These tests run from within the repository.");
        return folder;
    }
}
