namespace Polyjuice.Tracing;

/// <summary>
/// A grain interface's method, of grains of one type, as traces
/// name it. A host makes one instance for each and keeps it.
/// </summary>
/// <param name="GrainType">The grains' type, the first part of their identity as text ("AccountGrain").</param>
/// <param name="Interface">The interface's full name.</param>
/// <param name="Signature">
/// The method's name and its parameters' types, so that overloads are told apart: "Transfer(System.Int64,
/// System.String)". Cancellation tokens are no parameters here.
/// </param>
internal sealed record TracedMethod(string GrainType, string Interface, string Signature)
{
    /// <summary>The method of these parameters.</summary>
    /// <param name="grainType">As <see cref="GrainType"/>.</param>
    /// <param name="grainInterface">The interface.</param>
    /// <param name="name">The method's name.</param>
    /// <param name="parameters">The types of its parameters; cancellation tokens are left out here.</param>
    public static TracedMethod Of(string grainType, Type grainInterface, string name, IEnumerable<Type> parameters)
    {
        ArgumentNullException.ThrowIfNull(grainInterface);
        return new TracedMethod(grainType, NameOf(grainInterface), SignatureOf(name, parameters));
    }

    /// <summary>An interface's name as <see cref="Interface"/> has it.</summary>
    /// <param name="type">The interface.</param>
    public static string NameOf(Type type)
    {
        ArgumentNullException.ThrowIfNull(type);
        if (type.IsArray) return $"{NameOf(type.GetElementType()!)}[{new string(',', type.GetArrayRank() - 1)}]";

        // Without the assemblies' versions that a full name has for arguments.
        return type.IsConstructedGenericType
            ? $"{NameOf(type.GetGenericTypeDefinition())}<{string.Join(", ", type.GetGenericArguments().Select(NameOf))}>"
            : type.FullName ?? type.Name;
    }

    /// <summary>A method as <see cref="Signature"/> has it.</summary>
    /// <param name="name">The method's name.</param>
    /// <param name="parameters">The types of its parameters; cancellation tokens are left out here.</param>
    public static string SignatureOf(string name, IEnumerable<Type> parameters) =>
        $"{name}({string.Join(", ", parameters.Where(static parameter => parameter != typeof(CancellationToken)).Select(NameOf))})";

    /// <inheritdoc/>
    public override string ToString() => $"{Interface}.{Signature} of {GrainType}";
}
