using Microsoft.CodeAnalysis;

namespace Polyjuice.Analyzers.Tests;

/// <summary>What compiled code may use: the assemblies that this process has.</summary>
internal static class References
{
    private static readonly string[] s_files =
        ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!).Split(Path.PathSeparator);

    /// <summary>.NET alone.</summary>
    public static IReadOnlyList<MetadataReference> Net { get; } = Of(IsNet);

    /// <summary>.NET, Orleans and Polyjuice.</summary>
    public static IReadOnlyList<MetadataReference> All { get; } = Of(file =>
        IsNet(file)
        || IsNamed(file, "Microsoft.Extensions.Logging.Abstractions")
        || IsNamed(file, "Orleans.")
        || IsNamed(file, "Polyjuice.Orleans")
        || IsNamed(file, "Polyjuice.dll"));

    private static MetadataReference[] Of(Func<string, bool> isMeant) =>
        [.. s_files.Where(isMeant).Select(file => MetadataReference.CreateFromFile(file))];

    private static bool IsNet(string file) =>
        Path.GetDirectoryName(file) == Path.GetDirectoryName(typeof(object).Assembly.Location);

    private static bool IsNamed(string file, string start) =>
        Path.GetFileName(file).StartsWith(start, StringComparison.Ordinal);
}
