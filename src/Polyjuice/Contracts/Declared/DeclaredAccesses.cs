using System.Collections;
using System.Globalization;
using System.Reflection;

namespace Polyjuice.Contracts;

/// <summary>The access set that a grain interface method declares by its attributes. Immutable, for hosts.</summary>
internal sealed class DeclaredAccesses
{
    private readonly Entry[] _entries;

    private DeclaredAccesses(Entry[] entries) => _entries = entries;

    /// <summary>Those of a method; <see langword="null"/> if it declares nothing.</summary>
    /// <param name="method">Of a grain interface.</param>
    /// <param name="catalogue">What the host knows of grains.</param>
    /// <exception cref="InvalidOperationException">
    /// It declares what cannot be; the message says what, and what there is.
    /// </exception>
    public static DeclaredAccesses? Of(MethodInfo method, IGrainCatalogue catalogue)
    {
        ArgumentNullException.ThrowIfNull(method);
        ArgumentNullException.ThrowIfNull(catalogue);
        var attributes = method.GetCustomAttributes<DeclaredAccessAttribute>().ToArray();
        return attributes.Length == 0
            ? null
            : new([.. attributes.Select(attribute => DeclaredAccessCheck.Check(method, attribute, catalogue))]);
    }

    /// <summary>What one call accesses.</summary>
    /// <param name="catalogue">What the host knows of grains.</param>
    /// <param name="self">The grain that is called, as the catalogue takes it.</param>
    /// <param name="argument">The call's arguments by their place.</param>
    public IReadOnlyList<DeclaredAccess> Of(IGrainCatalogue catalogue, object self, Func<int, object?> argument)
    {
        ArgumentNullException.ThrowIfNull(catalogue);
        ArgumentNullException.ThrowIfNull(argument);
        var accesses = new List<DeclaredAccess>(_entries.Length);
        foreach (var entry in _entries)
        {
            if (entry.Argument < 0)
            {
                Add(entry, self);
            }
            else if (argument(entry.Argument) is var value && entry.IsMany)
            {
                foreach (var one in (IEnumerable?)value ?? Array.Empty<object>()) Add(entry, one);
            }
            else
            {
                Add(entry, value);
            }
        }

        return accesses;

        // What can't name a grain will fail where the grain is called, and is no business of this.
        void Add(in Entry entry, object? grain)
        {
            if (entry.Key == typeof(long) && grain is not null)
                grain = Convert.ToInt64(grain, CultureInfo.InvariantCulture);
            if (grain is null || (grain is string key && string.IsNullOrWhiteSpace(key))) return;
            if (catalogue.AccessTo(entry.Grain, grain, entry.State, entry.Updates) is { } access) accesses.Add(access);
        }
    }

    /// <summary>One attribute.</summary>
    /// <param name="State">The state's name.</param>
    /// <param name="Updates">Whether it is updated.</param>
    /// <param name="Argument">The place of the argument that names grains, or −1.</param>
    /// <param name="IsMany">Whether that is a collection.</param>
    /// <param name="Grain">The grains' interface.</param>
    /// <param name="Key">The type of their keys, if they are named by such.</param>
    internal readonly record struct Entry(string State, bool Updates, int Argument, bool IsMany, Type Grain, Type? Key);
}
