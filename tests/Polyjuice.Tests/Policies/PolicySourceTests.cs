using Polyjuice.Policies;

namespace Polyjuice.Tests.Policies;

public class PolicySourceTests
{
    [Fact]
    public void A_name_is_a_built_in_policy_and_a_path_a_file()
    {
        var path = Path.GetTempFileName();
        try
        {
            File.WriteAllText(path, Samples.BankJson);
            Assert.Equal("bank", PolicySource.LoadDocument(path).Name);
            Assert.Same(BuiltinPolicies.Get("occ"), PolicySource.LoadDocument("occ"));
        }
        finally
        {
            File.Delete(path);
        }
    }

    [Fact]
    public void A_file_that_is_missing_or_wrong_is_named()
    {
        Assert.Throws<FileNotFoundException>(() => PolicySource.LoadDocument("no-such-policy.json"));
        Assert.Contains(
            "Valid: ", Assert.Throws<ArgumentException>(() => PolicySource.LoadDocument("no-such-policy")).Message);
    }
}
