namespace Polyjuice.Policies;

/// <summary>Adds to a table those to choose among while it is in force.</summary>
internal static class TableChoices
{
    /// <summary>Compiles them.</summary>
    /// <param name="table">
    /// Of the policy; the first of those that are added is in force until another one is chosen.
    /// </param>
    /// <param name="model">By which they are chosen.</param>
    /// <param name="registry">The table's.</param>
    public static void Add(PolicyTable table, ChoiceModel model, SiteRegistry registry)
    {
        table.Model = model;
        table.Choices =
        [
            .. model.Tables.Select(choice =>
            {
                var one = BuiltinPolicies.Get(choice.Name).Compile(registry, table.Version);
                one.IsObserved = true;
                return one;
            }),
        ];
    }
}
