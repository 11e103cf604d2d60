using Microsoft.CodeAnalysis;

namespace Polyjuice.Analyzers;

/// <summary>The types that the rules are about, as one compilation knows them. Immutable.</summary>
internal sealed class KnownTypes
{
    private const string Abstractions = "Orleans.Transactions.Abstractions";

    private readonly INamedTypeSymbol _state;
    private readonly INamedTypeSymbol? _stateExtensions;
    private readonly INamedTypeSymbol? _stateAttribute;
    private readonly INamedTypeSymbol? _addressable;
    private readonly INamedTypeSymbol? _grainBase;
    private readonly INamedTypeSymbol? _task;
    private readonly INamedTypeSymbol? _valueTask;
    private readonly INamedTypeSymbol? _valueTaskOf;

    private KnownTypes(Compilation compilation, INamedTypeSymbol state)
    {
        _state = state;
        _stateExtensions = compilation.GetTypeByMetadataName($"{Abstractions}.TransactionalStateExtensions");
        _stateAttribute = compilation.GetTypeByMetadataName($"{Abstractions}.ITransactionalStateConfiguration");
        _addressable = compilation.GetTypeByMetadataName("Orleans.Runtime.IAddressable");
        _grainBase = compilation.GetTypeByMetadataName("Orleans.IGrainBase");
        _task = compilation.GetTypeByMetadataName("System.Threading.Tasks.Task");
        _valueTask = compilation.GetTypeByMetadataName("System.Threading.Tasks.ValueTask");
        _valueTaskOf = compilation.GetTypeByMetadataName("System.Threading.Tasks.ValueTask`1");
        Reentrant = compilation.GetTypeByMetadataName("Orleans.Concurrency.ReentrantAttribute");
        StatelessWorker = compilation.GetTypeByMetadataName("Orleans.Concurrency.StatelessWorkerAttribute");
        Transaction = compilation.GetTypeByMetadataName("Orleans.TransactionAttribute");
        Group = compilation.GetTypeByMetadataName("Polyjuice.TransactionGroupAttribute");
        GroupFunction = compilation.GetTypeByMetadataName("Polyjuice.TransactionGroupAttribute`1");
        TransactionRetry = compilation.GetTypeByMetadataName("Polyjuice.TransactionRetryAttribute");
    }

    /// <summary><c>[Reentrant]</c>.</summary>
    public INamedTypeSymbol? Reentrant { get; }

    /// <summary><c>[StatelessWorker]</c>.</summary>
    public INamedTypeSymbol? StatelessWorker { get; }

    /// <summary><c>[Transaction]</c>.</summary>
    public INamedTypeSymbol? Transaction { get; }

    /// <summary><c>[TransactionRetry]</c>; only where this engine is referenced.</summary>
    public INamedTypeSymbol? TransactionRetry { get; }

    /// <summary><c>[TransactionGroup]</c>; only where this engine is referenced.</summary>
    public INamedTypeSymbol? Group { get; }

    /// <summary><c>[TransactionGroup&lt;TGroup&gt;]</c>.</summary>
    public INamedTypeSymbol? GroupFunction { get; }

    /// <summary>Those of a compilation; none if it does not reference Orleans' transactions.</summary>
    public static KnownTypes? Of(Compilation compilation) =>
        compilation.GetTypeByMetadataName("Orleans.Transactions.Abstractions.ITransactionalState`1") is { } state
            ? new(compilation, state)
            : null;

    /// <summary>Whether a method is <c>PerformRead</c> or <c>PerformUpdate</c>.</summary>
    public bool IsAccess(IMethodSymbol method)
    {
        var type = (method.ReducedFrom ?? method).ContainingType.OriginalDefinition;
        return method.Name is "PerformRead" or "PerformUpdate" && (Is(type, _state) || Is(type, _stateExtensions));
    }

    /// <summary>Whether a grain gets a transactional state by this parameter of its constructor.</summary>
    public bool IsState(IParameterSymbol parameter) =>
        Is(parameter.Type.OriginalDefinition, _state)
        || (_stateAttribute is not null
            && parameter.GetAttributes().Any(attribute => Implements(attribute.AttributeClass, _stateAttribute)));

    /// <summary>
    /// Whether a grain gets states by this parameter of its constructor, or what makes or commits them.
    /// </summary>
    public bool IsTransactional(IParameterSymbol parameter) =>
        IsState(parameter) || parameter.Type.ContainingNamespace?.ToDisplayString() == Abstractions;

    /// <summary>Whether a class is a grain.</summary>
    public bool IsGrainClass(ITypeSymbol type) => Implements(type, _grainBase) || Implements(type, _addressable);

    /// <summary>Whether calls of an interface go to a grain.</summary>
    public bool IsGrainInterface(ITypeSymbol type) =>
        type.TypeKind == TypeKind.Interface && Implements(type, _addressable);

    /// <summary>Whether values of a type stand for work that may still be going on.</summary>
    public bool IsTask(ITypeSymbol type)
    {
        if (Is(type, _valueTask) || Is(type.OriginalDefinition, _valueTaskOf)) return true;
        for (var part = type; part is not null; part = part.BaseType)
        {
            if (Is(part, _task)) return true;
        }

        return false;
    }

    /// <summary>Whether a class has an attribute, or inherits it.</summary>
    public static bool HasAttribute(ITypeSymbol type, INamedTypeSymbol? attribute)
    {
        for (var part = type; part is not null; part = part.BaseType)
        {
            if (part.GetAttributes().Any(found => Is(found.AttributeClass, attribute))) return true;
        }

        return false;
    }

    /// <summary>Whether two are the same; nothing is the same as what the compilation does not know.</summary>
    public static bool Is(ISymbol? symbol, ISymbol? known) =>
        known is not null && SymbolEqualityComparer.Default.Equals(symbol, known);

    private static bool Implements(ITypeSymbol? type, ISymbol? known) =>
        type is not null && type.AllInterfaces.Any(implemented => Is(implemented, known));
}
