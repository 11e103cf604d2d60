using System.Reflection;
using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;
using System.Reflection.PortableExecutable;
using Polyjuice.Training.Cluster.Applications;

namespace Polyjuice.Training.Cluster.Tests.Applications;

public sealed class ApplicationAssembliesTests : IDisposable
{
    private readonly TestFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void One_that_is_not_there_is_named()
    {
        var file = _folder.File("none.dll");
        Assert.Contains(
            file,
            Assert.Throws<FileNotFoundException>(() => ApplicationAssemblies.Load([file])).Message,
            StringComparison.Ordinal);
    }

    [Fact]
    public void A_file_that_is_none_is_refused()
    {
        var file = _folder.File("text.dll");
        File.WriteAllText(file, "no assembly");
        Assert.Contains(
            "no .NET assembly",
            Assert.Throws<ArgumentException>(() => ApplicationAssemblies.Load([file])).Message,
            StringComparison.Ordinal);
    }

    [Fact]
    public void One_without_grains_is_refused_with_what_would_have_them()
    {
        var file = Emit("empty", []);
        Assert.Contains(
            "Microsoft.Orleans.Sdk",
            Assert.Throws<ArgumentException>(() => ApplicationAssemblies.Load([file])).Message,
            StringComparison.Ordinal);
    }

    [Fact]
    public void One_for_another_Orleans_is_refused_with_both_versions()
    {
        var file = Emit("old", [("Orleans.Core.Abstractions", new Version(9, 0, 0, 0))]);
        var message = Assert.Throws<ArgumentException>(() => ApplicationAssemblies.Load([file])).Message;
        Assert.Contains("Orleans 9", message, StringComparison.Ordinal);
        Assert.Contains("Orleans 10", message, StringComparison.Ordinal);
    }

    private string Emit(string name, (string Name, Version Version)[] references)
    {
        var metadata = new MetadataBuilder();
        metadata.AddModule(
            0, metadata.GetOrAddString(name + ".dll"), metadata.GetOrAddGuid(Guid.NewGuid()), default, default);
        metadata.AddAssembly(
            metadata.GetOrAddString(name),
            new Version(1, 0, 0, 0),
            default,
            default,
            default,
            AssemblyHashAlgorithm.None);
        metadata.AddTypeDefinition(
            default,
            default,
            metadata.GetOrAddString("<Module>"),
            default,
            MetadataTokens.FieldDefinitionHandle(1),
            MetadataTokens.MethodDefinitionHandle(1));
        foreach (var (reference, version) in references) metadata.AddAssemblyReference(
            metadata.GetOrAddString(reference), version, default, default, default, default);
        var image = new BlobBuilder();
        new ManagedPEBuilder(
            PEHeaderBuilder.CreateLibraryHeader(), new MetadataRootBuilder(metadata), new BlobBuilder()).Serialize(
            image);
        var file = _folder.File(name + ".dll");
        File.WriteAllBytes(file, image.ToArray());
        return file;
    }
}
