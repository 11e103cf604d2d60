namespace Polyjuice.Policies;

/// <summary>
/// Finds a policy by what a person would type: the name of a built-in one, or the path of a file. Thread-safe.
/// </summary>
internal static class PolicySource
{
    /// <summary>The policy.</summary>
    /// <param name="nameOrPath">
    /// A built-in policy's name; anything with a directory separator or ending in ".json" is a path.
    /// </param>
    /// <exception cref="ArgumentException">
    /// Neither a built-in policy nor a path; the message lists the built-in ones.
    /// </exception>
    /// <exception cref="PolicyFormatException">The file is not a policy.</exception>
    /// <exception cref="IOException">The file cannot be read.</exception>
    public static IPolicyCompiler Load(string nameOrPath) => LoadDocument(nameOrPath);

    /// <inheritdoc cref="Load"/>
    internal static DocumentPolicy LoadDocument(string nameOrPath) =>
        IsPath(nameOrPath) ? new DocumentPolicy(PolicyReader.Load(nameOrPath)) : BuiltinPolicies.Get(nameOrPath);

    /// <summary>Whether it is taken for a path, and not for a built-in policy's name.</summary>
    /// <param name="nameOrPath">What a person would type.</param>
    internal static bool IsPath(string nameOrPath) =>
        nameOrPath.Contains('/') || nameOrPath.Contains(Path.DirectorySeparatorChar)
            || nameOrPath.EndsWith(".json", StringComparison.OrdinalIgnoreCase);
}
