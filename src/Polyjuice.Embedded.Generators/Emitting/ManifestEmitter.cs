namespace Polyjuice.Embedded.Generators;

/// <summary>Writes what an assembly's manifest registers.</summary>
internal static class ManifestEmitter
{
    public static string Emit(IEnumerable<ManifestEntry> entries, string assembly)
    {
        var writer = new SourceWriter();
        var space = Code.NamespaceOf(assembly);
        writer.Line($"[assembly: {Code.Invocation}.GeneratedManifest(typeof(global::{space}.Manifest))]").Line();
        writer.Line($"namespace {space};").Line().Line(Code.GeneratedCode);
        writer.Open($"internal sealed class Manifest : {Code.Invocation}.IGeneratedManifest");
        writer.Open($"public void Register({Code.Invocation}.ManifestBuilder builder)");
        foreach (var entry in entries) writer.Line(entry.Statement);
        return writer.Close().Close().ToString();
    }
}

/// <summary>One registration.</summary>
internal sealed record ManifestEntry(string Statement)
{
    public static ManifestEntry Of(InterfaceModel type)
    {
        var reference = InterfaceEmitter.ClassName(type);
        return new($"builder.AddInterface<{type.Name}>(static (id, runtime) => new {reference}(id, runtime), {reference}.Methods);");
    }

    public static ManifestEntry Of(TypeModel type) => new(type switch
    {
        { Kind: TypeKindModel.Enum } => $"builder.AddEnum<{type.Name}>({Code.Literal(type.Alias)});",
        { UnboundTypeParameters: "" } => $"builder.AddCodec<{type.Name}>(new {CodecEmitter.ClassName(type)}(builder.Codecs), {Code.Literal(type.Alias)});",
        _ => $"builder.AddGenericCodec(typeof({type.UnboundName}), typeof({CodecEmitter.ClassName(type)}{type.UnboundTypeParameters}), {Code.Literal(type.Alias)});",
    });
}
