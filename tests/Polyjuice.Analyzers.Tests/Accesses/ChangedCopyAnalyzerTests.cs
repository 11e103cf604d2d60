using Polyjuice.Analyzers.Accesses;

namespace Polyjuice.Analyzers.Tests.Accesses;

public class ChangedCopyAnalyzerTests
{
    [Theory]
    [InlineData("{|PJ0008:copy.Cents = 1|};")]
    [InlineData("{|PJ0008:copy.Cents += amount|};")]
    [InlineData("{|PJ0008:copy.Cents++|};")]
    [InlineData("{|PJ0008:copy.Cents = copy.Cents - amount|};")]
    [InlineData("{|PJ0008:copy.Lines.Add(new Line())|};")]
    [InlineData("{|PJ0008:copy.Inner!.Lines[0].Count = 1|};")]
    [InlineData("if (copy.Cents < amount) throw new Exception(); {|PJ0008:copy.Cents -= amount|};")]
    [InlineData("if (copy.Cents >= amount) { {|PJ0008:copy.Cents -= amount|}; {|PJ0008:copy.Spent += amount|}; }")]
    [InlineData("Keep(copy); {|PJ0008:copy.Cents = 1|};")]
    [InlineData("for (var i = 0; i < 3; i++) {|PJ0008:copy.Cents++|};")]
    public async Task A_change_that_nobody_uses_is_reported_where_it_is(string statements)
    {
        await Compiled.IsJudgedInGrainAsync<ChangedCopyAnalyzer>(Read("state => state", statements));
        await Compiled.IsJudgedInGrainAsync<ChangedCopyAnalyzer>(Read("state => { return state; }", statements));
        await Compiled.IsJudgedInGrainAsync<ChangedCopyAnalyzer>(Read("Itself", statements));
    }

    [Theory]
    [InlineData("copy.Cents = 1; Keep(copy);")]
    [InlineData("copy.Cents = 1; await purse.PerformUpdate(state => { state.Cents = copy.Cents; });")]
    [InlineData("copy.Cents = 1; var cents = copy.Cents;")]
    [InlineData("copy.Cents = 1; Answer = copy;")]
    [InlineData("while (amount-- > 0) { Keep(copy); copy.Cents++; }")]
    [InlineData("if (copy.Lines.Remove(new Line())) amount++;")]
    [InlineData("amount = copy.Cents++;")]
    [InlineData("var cents = copy.Cents;")]
    [InlineData("copy = new Purse(); var other = copy;")]
    public async Task A_copy_that_is_used_afterwards_may_be_changed(string statements) =>
        await Compiled.IsJudgedInGrainAsync<ChangedCopyAnalyzer>(Read("state => state", statements));

    [Theory]
    [InlineData("state => new Purse { Cents = state.Cents }")]
    [InlineData("state => state.Cents > 0 ? state : new Purse()")]
    [InlineData("state => state.Inner ?? new Purse()")]
    public async Task What_may_be_something_else_is_not_reported(string function) =>
        await Compiled.IsJudgedInGrainAsync<ChangedCopyAnalyzer>(Read(function, "copy.Cents = 1;"));

    [Fact]
    public async Task A_collection_of_the_state_is_a_copy_too()
    {
        await Compiled.IsJudgedInGrainAsync<ChangedCopyAnalyzer>("""
            public async Task Test()
            {
                var lines = await purse.PerformUpdate(state => state.Lines);
                {|PJ0008:lines.Add(new Line())|};

                var days = await purse.PerformRead(state => state.Days);
                {|PJ0008:days[0] = 1|};

                var history = await purse.PerformRead(state => state.History);
                history = history.Add(1);

                var copied = await purse.PerformRead(state => state.Lines.ToList());
                copied.Clear();
            }
            """);
    }

    [Fact]
    public async Task A_copy_without_a_name_is_lost_at_once()
    {
        await Compiled.IsJudgedInGrainAsync<ChangedCopyAnalyzer>("""
            public async Task Test()
            {
                {|PJ0008:(await purse.PerformRead(state => state)).Cents = 1|};
                {|PJ0008:(await purse.PerformRead(state => state.Lines).ConfigureAwait(true)).Clear()|};
                var cents = (await purse.PerformRead(state => state)).Cents;
            }
            """);
    }

    private static string Read(string function, string statements) => $$"""
        public Purse? Answer { get; set; }

        public async Task Test(long amount)
        {
            var copy = await purse.PerformRead({{function}});
            {{statements}}
        }

        private static Purse Itself(Purse state) => state;
        """;
}
