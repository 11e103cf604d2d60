using System.Reflection;
using Orleans;
using Orleans.Serialization.Configuration;

namespace Polyjuice.Training.Cluster.Applications;

/// <summary>Loads the assemblies of an application that this program was not built with.</summary>
internal static class ApplicationAssemblies
{
    private const string OrleansPrefix = "Orleans.";
    private const string NameIt =
        "name the assembly of your grain classes, built with the package Microsoft.Orleans.Sdk.";

    private static int OwnMajor => typeof(Grain).Assembly.GetName().Version!.Major;

    /// <summary>Loads them, and those of what they reference that have grains or types of calls, too.</summary>
    /// <param name="files">
    /// The assemblies' files; what they depend on lies beside them, as after <c>dotnet build</c> or <c>publish</c>.
    /// </param>
    /// <returns>All that have something for Orleans.</returns>
    /// <exception cref="ArgumentException">
    /// One is none, was built for another Orleans, or has nothing for Orleans.
    /// </exception>
    /// <exception cref="IOException">One can't be read, or something that it depends on.</exception>
    public static IReadOnlyList<Assembly> Load(IReadOnlyList<string> files)
    {
        ArgumentNullException.ThrowIfNull(files);
        foreach (var file in files)
        {
            if (!File.Exists(file)) throw new FileNotFoundException($"There is no assembly {file}.", file);
        }

        var context = new ApplicationLoadContext([.. files.Select(Path.GetFullPath)]);
        var found = new List<Assembly>();
        var seen = new HashSet<string>(StringComparer.Ordinal);
        foreach (var file in files)
        {
            var before = found.Count;
            Collect(LoadOne(context, file), context, found, seen);
            if (found.Count == before && files.Count == 1)
                throw new ArgumentException(
                    $"{file} has no grains, and neither has what it references: {NameIt}", nameof(files));
        }

        if (found.Count == 0)
            throw new ArgumentException($"None of {string.Join(", ", files)} has grains: {NameIt}", nameof(files));
        return found;
    }

    private static Assembly LoadOne(ApplicationLoadContext context, string file)
    {
        try
        {
            return context.LoadFromAssemblyPath(Path.GetFullPath(file));
        }
        catch (BadImageFormatException exception)
        {
            throw new ArgumentException($"{file} is no .NET assembly.", nameof(file), exception);
        }
    }

    private static void Collect(
        Assembly assembly, ApplicationLoadContext context, List<Assembly> found, HashSet<string> seen)
    {
        if (!seen.Add(assembly.FullName!)) return;
        var references = assembly.GetReferencedAssemblies();
        if (references.FirstOrDefault(IsOtherOrleans) is { } other)
        {
            throw new ArgumentException(
                $"{assembly.GetName().Name} was built for Orleans {other.Version!.Major} ({other.Name}), "
                + $"and this tool has Orleans {OwnMajor}: take the tool's version that goes with it, or a trainer "
                + "project of its own.",
                    nameof(assembly));
        }

        // What this program has anyway, Orleans finds by itself.
        var isOwn = System.Runtime.Loader.AssemblyLoadContext.GetLoadContext(
            assembly) == System.Runtime.Loader.AssemblyLoadContext.Default;
        if (!isOwn && assembly.IsDefined(typeof(TypeManifestProviderAttribute))) found.Add(assembly);
        if (isOwn) return;
        foreach (var reference in references)
        {
            if (Resolve(context, reference) is { } referenced) Collect(referenced, context, found, seen);
        }
    }

    private static bool IsOtherOrleans(AssemblyName name) =>
        name.Name!.StartsWith(OrleansPrefix, StringComparison.Ordinal) && name.Version is { } version
            && version.Major != OwnMajor;

    // What is missing may never be needed; if it is, whoever needs it says so.
    private static Assembly? Resolve(ApplicationLoadContext context, AssemblyName name)
    {
        try
        {
            return context.LoadFromAssemblyName(name);
        }
        catch (Exception exception) when (exception is IOException or BadImageFormatException)
        {
            return null;
        }
    }
}
