using System.Reflection;
using System.Runtime.Loader;

namespace Polyjuice.Training.Cluster.Applications;

/// <summary>
/// An application's assemblies and what they depend on, each as the file beside it says (NAME.deps.json). What this
/// program has itself, Orleans and Polyjuice above all, is the same for both: otherwise its grains would be none to
/// these silos.
/// </summary>
/// <param name="files">The application's assemblies.</param>
internal sealed class ApplicationLoadContext(IReadOnlyList<string> files) : AssemblyLoadContext("application")
{
    private readonly AssemblyDependencyResolver[] _resolvers =
    [
        .. files.Select(static file => new AssemblyDependencyResolver(file))
    ];

    /// <inheritdoc/>
    protected override Assembly? Load(AssemblyName assemblyName)
    {
        if (OwnOf(assemblyName) is { } own) return own;
        var file = Resolved(resolver => resolver.ResolveAssemblyToPath(assemblyName))
            ?? files.Select(one => Path.Combine(Path.GetDirectoryName(one)!, assemblyName.Name + ".dll"))
                .FirstOrDefault(File.Exists);
        return file is null ? null : LoadFromAssemblyPath(file);
    }

    /// <inheritdoc/>
    protected override nint LoadUnmanagedDll(string unmanagedDllName)
    {
        var file = Resolved(resolver => resolver.ResolveUnmanagedDllToPath(unmanagedDllName));
        return file is null ? 0 : LoadUnmanagedDllFromPath(file);
    }

    private string? Resolved(Func<AssemblyDependencyResolver, string?> resolve) =>
        _resolvers.Select(resolve).FirstOrDefault(static path => path is not null);

    // An older one than the application was built for would lack what it calls.
    private static Assembly? OwnOf(AssemblyName name)
    {
        try
        {
            var own = Default.LoadFromAssemblyName(new AssemblyName(name.Name!));
            return own.GetName().Version >= name.Version ? own : null;
        }
        catch (IOException)
        {
            return null;
        }
    }
}
