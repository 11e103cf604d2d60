using System.Text.Json;

namespace Polyjuice.Policies;

/// <summary>Reads the groups of types in a policy file.</summary>
/// <param name="catalogue">The types that there are; if it lists none, any may be named.</param>
/// <param name="schema">The file's version.</param>
/// <param name="problems">Where to complain.</param>
internal sealed class GroupReader(SiteCatalogue catalogue, int schema, ProblemList problems)
{
    public IReadOnlyList<TypeGroup> Read(JsonFields document, string? rule)
    {
        var groups = new List<TypeGroup>();
        if (document.Get("groups") is not { } place) return groups;
        if (schema < 4)
            problems.Add(
                place.Offset,
                "groups",
                $"Are not of schema {schema}; write \"schema\": 4 at the top for groups of types.");
        else if (rule != PolicyRules.Callas)
            problems.Add(
                place.Offset,
                "groups",
                $"Mean something to the rule \"{PolicyRules.Callas}\" only; name it, or leave them out.");
        var seen = new HashSet<string>(StringComparer.Ordinal);
        foreach (var (item, path) in document.Items("groups"))
        {
            if (item.Kind != JsonTokenType.StartArray || item.Items.Count == 0)
                problems.Add(item.Offset, path, "Write an array of the group's types.");
            else
                groups.Add(new TypeGroup
                {
                    Types = [.. item.Items.Select((type, i) => Type(type, $"{path}[{i}]", seen))]
                });
        }

        return groups;
    }

    private string Type(JsonPlace place, string path, HashSet<string> seen)
    {
        var name = place.Kind == JsonTokenType.String ? place.Text : "";
        if (name.Length == 0) problems.Add(place.Offset, path, "Write the name of a transaction type.");
        else if (!seen.Add(name))
            problems.Add(place.Offset, path, $"\"{name}\" is in a group already; a type is in one.");
        else if (catalogue.Types.Count > 0 && catalogue.Find(name) is null)
            problems.Add(
                place.Offset,
                path,
                $"There is no type \"{name}\" in the catalogue. It lists: "
                + $"{string.Join(", ", catalogue.Types.Select(t => t.Name))}.");
        return name;
    }
}
