using Polyjuice.Analyzers.Accesses;

namespace Polyjuice.Analyzers.Tests.Accesses;

public class KeptStateAnalyzerTests
{
    [Theory]
    [InlineData("{|PJ0007:_kept = state|}")]
    [InlineData("{|PJ0007:this._kept = state|}")]
    [InlineData("{|PJ0007:_kept ??= state|}")]
    [InlineData("{|PJ0007:Held = state|}")]
    [InlineData("{|PJ0007:s_shared = state|}")]
    [InlineData("{|PJ0007:local = state|}")]
    [InlineData("{|PJ0007:argument = state|}")]
    [InlineData("{|PJ0007:argument.Inner = state|}")]
    [InlineData("{|PJ0007:anything = state|}")]
    [InlineData("{|PJ0007:_lines = state.Lines|}")]
    [InlineData("{|PJ0007:_lines = state.Inner!.Lines|}")]
    [InlineData("var mine = state.Lines; {|PJ0007:_lines = mine|}")]
    [InlineData("{|PJ0007:_days = state.Days|}")]
    [InlineData("{|PJ0007:anything = state.ByName|}")]
    [InlineData("if (state.Cents > 0) {|PJ0007:_kept = state|}")]
    public async Task State_that_is_assigned_to_what_outlives_the_access_is_reported(string statement)
    {
        await Compiled.IsJudgedInGrainAsync<KeptStateAnalyzer>(Access("PerformUpdate", statement));
        await Compiled.IsJudgedInGrainAsync<KeptStateAnalyzer>(Access("PerformRead", statement));
    }

    [Theory]
    [InlineData("var mine = state; mine.Cents++")]
    [InlineData("Purse mine; mine = state")]
    [InlineData("state.Inner = state")]
    [InlineData("state.Inner!.Lines = state.Lines")]
    [InlineData("_cents = state.Cents")]
    [InlineData("_owner = state.Owner")]
    [InlineData("_history = state.History")]
    [InlineData("_seen = state.Seen")]
    [InlineData("_lines = state.Lines.ToList()")]
    [InlineData("_lines = new List<Line>(state.Lines)")]
    [InlineData("_days = [.. state.Days]")]
    [InlineData("_kept = new Purse { Cents = state.Cents }")]
    [InlineData("state.Lines = _lines")]
    [InlineData("state.Days = _days")]
    [InlineData("var other = new Purse(); other.Lines = state.Lines")]
    [InlineData("_lines = argument.Lines")]
    public async Task What_stays_within_and_what_is_a_value_or_a_copy_is_not(string statement)
    {
        await Compiled.IsJudgedInGrainAsync<KeptStateAnalyzer>(Access("PerformUpdate", statement));
        await Compiled.IsJudgedInGrainAsync<KeptStateAnalyzer>(Access("PerformRead", statement));
    }

    [Fact]
    public async Task To_return_the_state_is_fine()
    {
        await Compiled.IsJudgedInGrainAsync<KeptStateAnalyzer>("""
            public Task<Purse> Read() => purse.PerformRead(state => state);

            public Task<List<Line>> Lines() => purse.PerformUpdate(state => state.Lines);
            """);
    }

    [Fact]
    public async Task Functions_of_all_forms_are_looked_at()
    {
        await Compiled.IsJudgedInGrainAsync<KeptStateAnalyzer>("""
            public async Task Test()
            {
                Purse? seen = null;
                await purse.PerformRead(state => {|PJ0007:seen = state|});
                await purse.PerformRead({|PJ0007:Hold|});
                await purse.PerformUpdate({|PJ0007:Local|});

                void Local(Purse state) => seen = state;
            }

            private Purse Hold(Purse state)
            {
                _kept = state;
                return state;
            }
            """);
    }

    [Fact]
    public async Task The_message_says_what_goes_where()
    {
        var found = await Compiled.IsJudgedInGrainAsync<KeptStateAnalyzer>(
            Access("PerformRead", "{|PJ0007:_lines = state.Lines|}"));
        Assert.Contains("assigning state.Lines to _lines", found[0].GetMessage(null), StringComparison.Ordinal);
    }

    private static string Access(string method, string statement) => $$"""
        private static Purse? s_shared;
        private List<Line> _lines = new();
        private long[] _days = new long[1];
        private long _cents;
        private string _owner = "";
        private ImmutableList<long> _history = ImmutableList<long>.Empty;
        private IReadOnlyList<long> _seen = new long[1];

        public Purse? Held { get; set; }

        public async Task Test(Purse argument)
        {
            Purse? local = null;
            object? anything = null;
            await purse.{{method}}(state =>
            {
                {{statement}};
                return state.Cents;
            });
            Keep(local);
        }
        """;
}
