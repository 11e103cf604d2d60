using Microsoft.CodeAnalysis;

namespace Polyjuice.Analyzers.Bodies;

/// <summary>
/// Which methods act outside of the process, or where others see it, for certain. Loggers and metrics are not meant.
/// </summary>
internal sealed class OutsideEffects
{
    private readonly (INamedTypeSymbol? Type, Func<string, bool> IsEffect)[] _effects;

    public OutsideEffects(Compilation compilation)
    {
        _effects =
        [
            Of("System.Console", StartsWith("Write")),
            Of("System.IO.File", StartsWith("Write", "Append", "Delete", "Move", "Copy", "Create", "Replace")),
            Of("System.Net.Http.HttpClient", StartsWith("Send", "Post", "Put", "Patch", "Delete")),
            Of("System.Net.Http.Json.HttpClientJsonExtensions", StartsWith("Post", "Put", "Patch", "Delete")),
            Of("System.Data.Common.DbCommand", StartsWith("ExecuteNonQuery")),
            Of("System.Diagnostics.Process", name => name == "Start"),
            Of("Orleans.Streams.IAsyncObserver`1", name => name == "OnNextAsync"),
            Of("Orleans.Streams.IAsyncBatchProducer`1", name => name == "OnNextBatchAsync"),
            Of("Orleans.Core.IStorage", IsStore),
            Of("Orleans.Grain`1", IsStore),
        ];

        (INamedTypeSymbol?, Func<string, bool>) Of(string type, Func<string, bool> isEffect) =>
            (compilation.GetTypeByMetadataName(type), isEffect);
    }

    /// <summary>Whether a method is one of them.</summary>
    public bool Has(IMethodSymbol method)
    {
        var called = method.ReducedFrom ?? method;
        return _effects.Any(effect => effect.IsEffect(called.Name) && IsOf(called.ContainingType, effect.Type));
    }

    private static bool IsStore(string name) => name is "WriteStateAsync" or "ClearStateAsync";

    private static Func<string, bool> StartsWith(params string[] prefixes) =>
        name => prefixes.Any(prefix => name.StartsWith(prefix, StringComparison.Ordinal));

    // Of the type, of one that derives from it, or of one that implements it.
    private static bool IsOf(INamedTypeSymbol type, INamedTypeSymbol? known)
    {
        if (known is null) return false;
        if (known.TypeKind == TypeKind.Interface
            && type.AllInterfaces.Any(implemented => KnownTypes.Is(implemented.OriginalDefinition, known))) return true;
        for (var part = type; part is not null; part = part.BaseType)
        {
            if (KnownTypes.Is(part.OriginalDefinition, known)) return true;
        }

        return false;
    }
}
