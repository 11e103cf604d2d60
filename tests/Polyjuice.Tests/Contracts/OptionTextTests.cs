using System.ComponentModel.DataAnnotations;
using Polyjuice.Contracts;

namespace Polyjuice.Tests.Contracts;

public sealed class OptionTextTests
{
    [Fact]
    public void What_is_out_of_its_bounds_is_told_with_name_value_and_bounds() =>
        Assert.Equal(
            [
                "Options.Count is 0: The field Count must be between 1 and 9.",
                "Options.Wait is 00:00:02: The field Wait must be between 00:00:00 and 00:00:01.",
                "Options.Name is nothing: The Name field is required.",
            ],
            OptionText.Problems(new Options { Count = 0, Wait = TimeSpan.FromSeconds(2), Name = null }));

    [Fact]
    public void What_is_within_its_bounds_is_not_told() => Assert.Empty(OptionText.Problems(new Options()));

    [Fact]
    public void The_value_of_an_option_without_bounds_is_not_told_because_it_may_be_a_secret() =>
        Assert.Equal(
            ["log: Password: It is too short."], OptionText.Problems(new Options { Password = "top" }, "log: "));

    private sealed class Options : IValidatableObject
    {
        [Range(1, 9)]
        public int Count { get; set; } = 1;

        [Range(typeof(TimeSpan), "00:00:00", "00:00:01")]
        public TimeSpan Wait { get; set; }

        [Required]
        public string? Name { get; set; } = "here";

        public string Password { get; set; } = "secret";

        public IEnumerable<ValidationResult> Validate(ValidationContext validationContext)
        {
            if (Password.Length < 6) yield return new("It is too short.", [nameof(Password)]);
        }
    }
}
