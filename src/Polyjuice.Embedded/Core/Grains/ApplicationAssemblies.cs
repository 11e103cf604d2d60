using System.Reflection;

namespace Polyjuice.Embedded.Core;

/// <summary>Finds the assemblies that may hold grains: those that refer to this one, loaded or referred to by such.</summary>
internal static class ApplicationAssemblies
{
    public static IReadOnlyList<Assembly> Find()
    {
        var own = typeof(ApplicationAssemblies).Assembly;
        var found = new Dictionary<string, Assembly>(StringComparer.Ordinal);
        var open = new Queue<Assembly>(AppDomain.CurrentDomain.GetAssemblies().Where(assembly => !assembly.IsDynamic));
        if (Assembly.GetEntryAssembly() is { } entry) open.Enqueue(entry);
        var seen = new HashSet<string>(StringComparer.Ordinal);
        while (open.TryDequeue(out var assembly))
        {
            if (!seen.Add(assembly.FullName!)) continue;
            var references = assembly.GetReferencedAssemblies();
            var refersToOwn = references.Any(reference => reference.Name == own.GetName().Name);
            if (refersToOwn) found.TryAdd(assembly.FullName!, assembly);

            // Frameworks' references lead nowhere; an application's own may hold grains without being loaded yet.
            if (!refersToOwn && assembly != Assembly.GetEntryAssembly()) continue;
            foreach (var reference in references.Where(reference => !IsFramework(reference.Name!)))
            {
                if (TryLoad(reference) is { } loaded) open.Enqueue(loaded);
            }
        }

        return [.. found.Values.OrderBy(assembly => assembly.FullName, StringComparer.Ordinal)];
    }

    private static bool IsFramework(string name) =>
        name.StartsWith("System", StringComparison.Ordinal) || name.StartsWith("Microsoft.", StringComparison.Ordinal) || name is "netstandard" or "mscorlib";

    private static Assembly? TryLoad(AssemblyName name)
    {
        try
        {
            return Assembly.Load(name);
        }
        catch (Exception exception) when (exception is IOException or BadImageFormatException)
        {
            return null;
        }
    }
}
