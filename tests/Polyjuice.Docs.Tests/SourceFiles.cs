namespace Polyjuice.Docs.Tests;

/// <summary>Files of code, as people have written them.</summary>
internal static class SourceFiles
{
    /// <summary>Those in a folder of the repository and below, with slashes, in order.</summary>
    public static IEnumerable<string> In(string folder) => Directory
        .EnumerateFiles(Repository.PathOf(folder), "*.cs", SearchOption.AllDirectories)
        .Select(static file => Path.GetRelativePath(Repository.Root, file).Replace('\\', '/'))
        .Where(static file => !file.Contains("/obj/", StringComparison.Ordinal)
            && !file.Contains("/bin/", StringComparison.Ordinal))
        .Order(StringComparer.Ordinal);
}
