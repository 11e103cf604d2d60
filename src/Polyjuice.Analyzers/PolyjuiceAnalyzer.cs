using Microsoft.CodeAnalysis.Diagnostics;

namespace Polyjuice.Analyzers;

/// <summary>
/// What all analyzers here have in common: they do nothing where Orleans' transactions are not referenced, and look at
/// no generated code. Thread-safe: they keep nothing.
/// </summary>
public abstract class PolyjuiceAnalyzer : DiagnosticAnalyzer
{
    /// <inheritdoc/>
    public sealed override void Initialize(AnalysisContext context)
    {
        context.ConfigureGeneratedCodeAnalysis(GeneratedCodeAnalysisFlags.None);
        context.EnableConcurrentExecution();
        context.RegisterCompilationStartAction(start =>
        {
            if (KnownTypes.Of(start.Compilation) is { } known) Register(start, known);
        });
    }

    /// <summary>Called once for each compilation that has transactions.</summary>
    private protected abstract void Register(CompilationStartAnalysisContext context, KnownTypes known);
}
