using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Text;

namespace Polyjuice.Embedded.Generators;

/// <summary>A diagnostic that holds no syntax tree, so that it can be compared and kept between runs.</summary>
internal sealed record DiagnosticInfo(string Id, string? Path, TextSpan Span, LinePositionSpan Lines, EquatableArray<string> Arguments)
{
    public static DiagnosticInfo At(ISymbol symbol, DiagnosticDescriptor descriptor, params string[] arguments)
    {
        var location = symbol.Locations.FirstOrDefault(static l => l.IsInSource);
        return new(descriptor.Id, location?.SourceTree?.FilePath, location?.SourceSpan ?? default,
            location?.GetLineSpan().Span ?? default, new([.. arguments]));
    }

    public Diagnostic ToDiagnostic() => Diagnostic.Create(
        Diagnostics.ById[Id], Path is null ? Location.None : Location.Create(Path, Span, Lines), [.. Arguments]);
}
