namespace Smallbank.Tests;

/// <summary>Examples of the documentation, which are tests here.</summary>
internal static class Examples
{
    /// <summary>Asserts that a document shows what stands between the example marks of a source file.</summary>
    public static void AssertShown(string source, string document)
    {
        var example =
            File.ReadAllText(Repository.PathOf(source)).Split("    // [example]\n")[1].Split("    // [/example]")[0];
        var lines = example.TrimEnd().Split('\n').Select(line => line.Length > 4 ? line[4..] : line);
        Assert.Contains(
            string.Join('\n', lines), File.ReadAllText(Repository.PathOf(document)), StringComparison.Ordinal);
    }
}
