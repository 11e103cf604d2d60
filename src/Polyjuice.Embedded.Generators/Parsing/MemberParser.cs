using Microsoft.CodeAnalysis;

namespace Polyjuice.Embedded.Generators;

/// <summary>Finds the members of a type that are carried, in the order in which they are written.</summary>
internal static class MemberParser
{
    public static List<MemberModel> Parse(
        INamedTypeSymbol type, AttributeData attribute, List<DiagnosticInfo> diagnostics, CancellationToken cancellation)
    {
        var members = new List<MemberModel>();
        if (type.TypeKind == TypeKind.Enum) return members;

        // A record's primary constructor parameters come first and have numbers of their own: 0 there and [Id(0)] don't clash.
        var taken = new HashSet<string>();
        if (type.IsRecord && IncludesPrimaryConstructor(attribute) != false)
        {
            foreach (var property in PrimaryProperties(type))
            {
                taken.Add(property.Name);
                Add(property);
            }
        }

        var byId = new SortedDictionary<uint, ISymbol>();
        foreach (var member in type.GetMembers())
        {
            cancellation.ThrowIfCancellationRequested();
            if (member is not (IFieldSymbol or IPropertySymbol) || taken.Contains(member.Name)) continue;
            if (Names.Argument(member, Names.Id)?.Value is not uint id) continue;
            if (byId.TryGetValue(id, out var other))
                diagnostics.Add(DiagnosticInfo.At(member, Diagnostics.DuplicateId, other.Name, member.Name, type.ToDisplayString(), id.ToString()));
            else byId.Add(id, member);
        }

        foreach (var member in byId.Values) Add(member);
        return members;

        void Add(ISymbol member)
        {
            if (Unsupported(member) is { } reason) diagnostics.Add(DiagnosticInfo.At(member, Diagnostics.Member, member.ToDisplayString(), reason));
            else members.Add(Model(member));
        }
    }

    /// <summary>What the attribute says about primary constructor parameters; null if nothing.</summary>
    public static bool? IncludesPrimaryConstructor(AttributeData attribute)
    {
        foreach (var argument in attribute.NamedArguments)
        {
            if (argument.Key == "IncludePrimaryConstructorParameters") return argument.Value.Value as bool?;
        }

        return null;
    }

    // The compiler makes a property per parameter, whose declaration is the parameter's; or the record declares it itself.
    private static IEnumerable<IPropertySymbol> PrimaryProperties(INamedTypeSymbol type)
    {
        foreach (var constructor in type.InstanceConstructors)
        {
            var isPrimary = constructor.DeclaringSyntaxReferences.Any(static r =>
                r.GetSyntax() is Microsoft.CodeAnalysis.CSharp.Syntax.RecordDeclarationSyntax { ParameterList: not null });
            if (!isPrimary || constructor.IsImplicitlyDeclared && constructor.Parameters.Length == 1
                && SymbolEqualityComparer.Default.Equals(constructor.Parameters[0].Type, type)) continue;
            foreach (var parameter in constructor.Parameters)
            {
                if (type.GetMembers(parameter.Name).OfType<IPropertySymbol>().FirstOrDefault() is { } property) yield return property;
            }
        }
    }

    private static string? Unsupported(ISymbol member) => member switch
    {
        { IsStatic: true } => "it is static",
        IPropertySymbol { IsIndexer: true } => "it is an indexer",
        IPropertySymbol { GetMethod: null } => "it can't be read",
        IPropertySymbol { IsAbstract: true } => "it is abstract; mark what overrides it",
        IPropertySymbol { SetMethod: null or { IsInitOnly: true } } property when BackingField(property) is null => "it can't be set",
        _ => WireKinds.Unsupported(TypeOf(member)),
    };

    private static MemberModel Model(ISymbol member)
    {
        var type = TypeOf(member);
        var (field, get, set) = member is IPropertySymbol property ? AccessOf(property) : AccessOf((IFieldSymbol)member);
        return new(member.Name, Names.CSharp(type), field, get, set, WireKinds.Of(type), Names.IsImmutable(member));
    }

    private static (string Field, Access Get, Access Set) AccessOf(IFieldSymbol field)
    {
        var get = IsAccessible(field) ? Access.Direct : Access.Field;
        return (field.Name, get, field.IsReadOnly ? Access.Field : get);
    }

    // A derived class may override a virtual property, and its codec carries that one by itself; here it is the field that counts.
    private static (string Field, Access Get, Access Set) AccessOf(IPropertySymbol property)
    {
        var field = BackingField(property)?.Name ?? "";
        if (field.Length > 0 && (property.IsVirtual || property.IsOverride)) return (field, Access.Field, Access.Field);
        var get = IsAccessible(property.GetMethod!) ? Access.Direct : field.Length > 0 ? Access.Field : Access.Method;
        var set = property.SetMethod is null or { IsInitOnly: true } ? Access.Field
            : IsAccessible(property.SetMethod) ? Access.Direct
            : Access.Method;
        return (field, get, set);
    }

    private static IFieldSymbol? BackingField(IPropertySymbol property) => property.ContainingType.GetMembers().OfType<IFieldSymbol>()
        .FirstOrDefault(f => !f.IsStatic && SymbolEqualityComparer.Default.Equals(f.AssociatedSymbol, property));

    private static bool IsAccessible(ISymbol member) =>
        member.DeclaredAccessibility is Accessibility.Public or Accessibility.Internal or Accessibility.ProtectedOrInternal;

    private static ITypeSymbol TypeOf(ISymbol member) => member is IPropertySymbol property ? property.Type : ((IFieldSymbol)member).Type;
}
