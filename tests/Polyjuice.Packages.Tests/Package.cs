using System.IO.Compression;
using System.Reflection.Metadata;
using System.Reflection.PortableExecutable;
using System.Xml.Linq;

namespace Polyjuice.Packages.Tests;

/// <summary>A package, or a package of symbols, as a file.</summary>
internal sealed class Package : IDisposable
{
    private readonly ZipArchive _archive;
    private readonly XElement _metadata;

    public Package(string file)
    {
        _archive = ZipFile.OpenRead(file);
        using var nuspec = _archive.Entries.Single(entry => IsNuspec(entry.FullName)).Open();
        _metadata = XDocument.Load(nuspec).Root!.Elements().Single(element => element.Name.LocalName == "metadata");
    }

    /// <summary>All files, but those that make it a package.</summary>
    public IReadOnlyList<string> Files =>
    [
        .. _archive.Entries.Select(entry => entry.FullName)
            .Where(name => !name.StartsWith("_rels/", StringComparison.Ordinal))
            .Where(name => !name.StartsWith("package/", StringComparison.Ordinal))
            .Where(name => name != "[Content_Types].xml" && !IsNuspec(name))
            .Order(StringComparer.Ordinal),
    ];

    /// <summary>What it depends on, with versions.</summary>
    public IReadOnlyDictionary<string, string> Dependencies =>
        Elements("dependency").ToDictionary(
            found => (string)found.Attribute("id")!,
            found => (string)found.Attribute("version")!);

    /// <summary>The shared frameworks that it needs, beside .NET's own.</summary>
    public IReadOnlyList<string> Frameworks =>
        [.. Elements("frameworkReference").Select(found => (string)found.Attribute("name")!)];

    /// <summary>What kind of package it says that it is; empty if it says nothing.</summary>
    public string Type => (string?)Elements("packageType").SingleOrDefault()?.Attribute("name") ?? "";

    /// <summary>A value of its description; empty if there is none.</summary>
    public string Get(string name) =>
        _metadata.Elements().SingleOrDefault(element => element.Name.LocalName == name)?.Value ?? "";

    /// <summary>The bytes of a file.</summary>
    public byte[] Read(string file)
    {
        var entry = _archive.GetEntry(file) ?? throw new InvalidOperationException($"There is no {file}.");
        using var content = entry.Open();
        using var bytes = new MemoryStream();
        content.CopyTo(bytes);
        return bytes.ToArray();
    }

    /// <summary>What an assembly says of how it was built.</summary>
    public AssemblyBuild ReadAssembly(string file)
    {
        using var reader = new PEReader(new MemoryStream(Read(file)));
        var entries = reader.ReadDebugDirectory();
        var codeView = entries.Single(entry => entry.Type == DebugDirectoryEntryType.CodeView);
        var symbols = reader.ReadCodeViewDebugDirectoryData(codeView);
        var isReproducible = entries.Any(entry => entry.Type == DebugDirectoryEntryType.Reproducible);
        var hasSymbolsInside = entries.Any(entry => entry.Type == DebugDirectoryEntryType.EmbeddedPortablePdb);
        return new(isReproducible, symbols.Guid, symbols.Path, hasSymbolsInside);
    }

    /// <summary>Of which build symbols are.</summary>
    public Guid ReadSymbols(string file)
    {
        using var provider = MetadataReaderProvider.FromPortablePdbStream(new MemoryStream(Read(file)));
        return new BlobContentId(provider.GetMetadataReader().DebugMetadataHeader!.Id).Guid;
    }

    public void Dispose() => _archive.Dispose();

    private static bool IsNuspec(string file) => file.EndsWith(".nuspec", StringComparison.Ordinal);

    private IEnumerable<XElement> Elements(string name) =>
        _metadata.Descendants().Where(element => element.Name.LocalName == name);
}

/// <summary>How an assembly was built.</summary>
/// <param name="IsReproducible">Whether the same sources give the same bytes.</param>
/// <param name="Symbols">The symbols that belong to it.</param>
/// <param name="SymbolsPath">Where those were.</param>
/// <param name="HasSymbolsInside">Whether they are in the assembly itself.</param>
internal sealed record AssemblyBuild(bool IsReproducible, Guid Symbols, string SymbolsPath, bool HasSymbolsInside);
