using Polyjuice.Contracts;

namespace Polyjuice.Tests.Contracts.Declared;

/// <summary>What methods declare by attributes, and what is wrong with it.</summary>
public class DeclaredAccessesTests
{
    private readonly Catalogue _catalogue = new();

    [Fact]
    public void A_method_without_attributes_declares_nothing() =>
        Assert.Null(DeclaredAccesses.Of(typeof(IVault).GetMethod(nameof(IVault.Plain))!, _catalogue));

    [Fact]
    public void The_grain_itself_and_those_that_keys_name_are_accessed() =>
        Assert.Equal(
            ["IVault/self.gold! ", "IVault/7.gold! ", "IVault/8.gold! ", "IVault/self.silver "],
            Declared(nameof(IVault.Pay), new long[] { 7, 8 }, 5L));

    [Fact]
    public void A_smaller_integer_is_a_key_too() => Assert.Equal(["IVault/3.gold! "], Declared(nameof(IVault.One), 3));

    [Fact]
    public void Grains_of_another_interface_are_named_by_its_keys() =>
        Assert.Equal(
            ["IShelf/a.books ", "IShelf/b.books "], Declared(nameof(IVault.Shelves), new List<string> { "a", "b" }));

    [Fact]
    public void References_know_their_interface() =>
        Assert.Equal(["ref.books! "], Declared(nameof(IVault.Refer), new Shelf()));

    [Fact]
    public void What_names_no_grain_is_left_out()
    {
        Assert.Equal(["IVault/self.gold! ", "IVault/self.silver "], Declared(nameof(IVault.Pay), null, 5L));
        Assert.Equal(["IShelf/b.books "], Declared(nameof(IVault.Shelves), new List<string?> { null, " ", "b" }));
    }

    [Theory]
    [InlineData(
        nameof(IVault.NoState),
        "[Updates(\"lead\")] on",
        "NoState",
        "names the state 'lead'",
        "There is 'gold' of",
        "'silver' of")]
    [InlineData(nameof(IVault.NoArgument), "names the argument 'from'", "It has 'to'")]
    [InlineData(nameof(IVault.WrongKey), "takes the argument 'to' for keys of", "which are integers", "System.String")]
    [InlineData(nameof(IVault.WrongGrain), "which is no grain interface")]
    [InlineData(nameof(IVault.WrongShelf), "names the state 'gold'", "There is 'books' of")]
    [InlineData(nameof(IVault.NoGrains), "[Reads(\"gold\")] on", "no argument to find its grains by")]
    [InlineData(nameof(IVault.ReferAs), "whose references know theirs")]
    public void What_does_not_exist_is_refused_with_what_does(string method, params string[] expected)
    {
        var exception = Assert.Throws<InvalidOperationException>(
            () => DeclaredAccesses.Of(typeof(IVault).GetMethod(method)!, _catalogue));
        Assert.All(expected, part => Assert.Contains(part, exception.Message, StringComparison.Ordinal));
    }

    private IEnumerable<string> Declared(string method, params object?[] arguments) =>
        DeclaredAccesses.Of(typeof(IVault).GetMethod(method)!, _catalogue)!
            .Of(_catalogue, "self", at => arguments[at])
            .Select(access => $"{access.Key.Grain}.{access.Key.State}{(access.Updates ? "!" : "")} ");

    public interface IVault
    {
        Task Plain();

        [Updates("gold"), Updates("gold", Of = nameof(to)), Reads("silver")]
        Task Pay(long[] to, long amount);

        [Updates("gold", Of = nameof(to))]
        Task One(int to);

        [Reads("books", Of = nameof(shelves), Grain = typeof(IShelf))]
        Task Shelves(List<string> shelves);

        [Updates("books", Of = nameof(shelf))]
        Task Refer(IShelf shelf);

        [Updates("books", Of = nameof(shelf), Grain = typeof(IVault))]
        Task ReferAs(IShelf shelf);

        [Updates("lead")]
        Task NoState();

        [Updates("gold", Of = "from")]
        Task NoArgument(long to);

        [Updates("gold", Of = nameof(to))]
        Task WrongKey(string to);

        [Updates("gold", Of = nameof(to), Grain = typeof(IDisposable))]
        Task WrongGrain(long to);

        [Updates("gold", Of = nameof(to), Grain = typeof(IShelf))]
        Task WrongShelf(string to);

        [Reads("gold", Grain = typeof(IShelf))]
        Task NoGrains();
    }

    public interface IShelf;

    private sealed class Shelf : IShelf;

    private sealed class Catalogue : IGrainCatalogue
    {
        public Type? KeyOf(Type grainInterface) =>
            grainInterface == typeof(IVault) ? typeof(long) : grainInterface == typeof(IShelf) ? typeof(string) : null;

        public IEnumerable<(Type Class, IReadOnlyCollection<string> States)> ClassesOf(Type grainInterface) =>
            grainInterface == typeof(IVault)
                ? [(typeof(object), ["gold", "silver"])]
                : grainInterface == typeof(IShelf) ? [(typeof(Shelf), ["books"])] : [];

        public DeclaredAccess? AccessTo(Type grainInterface, object grain, string state, bool updates) =>
            new(
                new ParticipantKey(
                    grain is Shelf ? "ref" : $"{grainInterface.Name}/{grain}", state, grainInterface.Name),
                updates);
    }
}
