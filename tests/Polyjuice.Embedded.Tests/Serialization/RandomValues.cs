using FsCheck;
using FsCheck.Fluent;

namespace Polyjuice.Embedded.Tests.Serialization;

/// <summary>Values of the whole range of their types: FsCheck's own whole numbers are up to 100, and its text is ASCII.</summary>
internal static class RandomValues
{
    /// <summary>FsCheck's text, null among it, and text of characters of all planes. A lone surrogate is no text: UTF-8 can't carry it.</summary>
    public static Arbitrary<string> Text { get; } = Gen.OneOf(
        ArbMap.Default.GeneratorFor<string>(),
        Gen.OneOf(Gen.Choose(0, 0xD7FF), Gen.Choose(0xE000, 0x10FFFF)).Select(char.ConvertFromUtf32).ArrayOf().Select(string.Concat)).ToArbitrary();

    /// <summary>Every character by itself, surrogates included.</summary>
    public static Arbitrary<char> Character { get; } = Gen.Choose(char.MinValue, char.MaxValue).Select(code => (char)code).ToArbitrary();

    /// <summary>Every day that there is.</summary>
    public static Arbitrary<DateOnly> Date { get; } = Gen.Choose(0, DateOnly.MaxValue.DayNumber).Select(DateOnly.FromDayNumber).ToArbitrary();

    /// <summary>Whole numbers, small ones as often as large ones.</summary>
    public static Arbitrary<T> Whole<T>() where T : struct
    {
        var small = ArbMap.Default.ArbFor<T>();
        return Arb.From(Gen.OneOf(small.Generator, ArbMap.Default.GeneratorFor<DoNotSize<T>>().Select(number => number.Item)), small.Shrinker);
    }
}
