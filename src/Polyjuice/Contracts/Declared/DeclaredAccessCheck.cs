using System.Reflection;

namespace Polyjuice.Contracts;

/// <summary>Refuses declarations of what does not exist, in words that say what does.</summary>
internal static class DeclaredAccessCheck
{
    private static readonly Type[] _integers =
    [
        typeof(long), typeof(int), typeof(uint), typeof(short), typeof(ushort), typeof(byte), typeof(sbyte)
    ];

    public static DeclaredAccesses.Entry Check(
        MethodInfo method, DeclaredAccessAttribute attribute, IGrainCatalogue catalogue)
    {
        var updates = attribute is UpdatesAttribute;
        if (attribute.Of is not { } name)
        {
            if (attribute.Grain is not null)
                throw Wrong("names an interface, and no argument to find its grains by: set Of too");
            CheckState(method.DeclaringType!);
            return new(attribute.State, updates, Argument: -1, IsMany: false, method.DeclaringType!, Key: null);
        }

        var parameters = method.GetParameters();
        var at = Array.FindIndex(parameters, parameter => parameter.Name == name);
        if (at < 0)
            throw Wrong(
                $"names the argument '{name}', which the method does not have. It has "
                + $"{(parameters.Length == 0 ? "none" : string.Join(", ", parameters.Select(parameter => $"'{parameter.Name}'")))}");
        var (one, isMany) = ElementOf(parameters[at].ParameterType);
        if (catalogue.KeyOf(one) is not null || IsGrain(one, catalogue))
        {
            if (attribute.Grain is not null)
                throw Wrong(
                    $"names an interface for the argument '{name}', whose references know theirs: leave Grain out");
            CheckState(one);
            return new(attribute.State, updates, at, isMany, one, Key: null);
        }

        var grain = attribute.Grain ?? method.DeclaringType!;
        if (catalogue.KeyOf(grain) is not { } key)
            throw Wrong(
                $"takes the argument '{name}' for keys of {grain}, "
                + $"{(IsGrain(grain, catalogue) ? "whose grains have compound keys: pass references to them instead" : "which is no grain interface")}");
        if (one != key && !(key == typeof(long) && Array.IndexOf(_integers, one) >= 0))
            throw Wrong(
                $"takes the argument '{name}' for keys of {grain}, which are {NameOf(key)}; it is "
                + $"{parameters[at].ParameterType}. An argument may be a key, a reference to a grain, or a "
                + "collection of either");
        CheckState(grain);
        return new(attribute.State, updates, at, isMany, grain, key);

        void CheckState(Type grainInterface)
        {
            var classes = catalogue.ClassesOf(grainInterface).ToArray();

            // Other silos may have classes for it.
            if (classes.Length == 0 || classes.Any(known => known.States.Contains(attribute.State))) return;
            var states = classes.SelectMany(known => known.States.Select(state => $"'{state}' of {known.Class}"))
                .ToArray();
            throw Wrong(
                $"names the state '{attribute.State}', which no grain class with {grainInterface} has. "
                + $"{(states.Length == 0 ? $"{string.Join(", ", classes.Select(known => known.Class))} has no transactional state" : $"There is {string.Join(", ", states)}")}");
        }

        InvalidOperationException Wrong(string what) => new(
            $"[{(updates ? "Updates" : "Reads")}(\"{attribute.State}\")] on "
            + $"{method.DeclaringType}.{method.Name} {what}.");
    }

    private static bool IsGrain(Type type, IGrainCatalogue catalogue) =>
        type.IsInterface && catalogue.ClassesOf(type).Any();

    private static (Type One, bool IsMany) ElementOf(Type type)
    {
        type = Nullable.GetUnderlyingType(type) ?? type;
        if (type == typeof(string)) return (type, false);
        var sequence = type.GetInterfaces().Append(type)
            .FirstOrDefault(known => known.IsGenericType && known.GetGenericTypeDefinition() == typeof(IEnumerable<>));
        return sequence is null ? (type, false) : (sequence.GetGenericArguments()[0], true);
    }

    private static string NameOf(Type key) =>
        key == typeof(long) ? "integers" : key == typeof(Guid) ? "GUIDs" : "strings";
}
