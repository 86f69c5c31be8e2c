import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Scanner;

public final class Check {
    static byte[] decode(String text) {
        return Base64.getDecoder().decode(text);
    }

    public static void main(String[] args) {
        Scanner scanner = new Scanner(System.in);
        while (scanner.hasNextLine()) {
            String[] parts = scanner.nextLine().split(" ", -1);
            var secrets = Arrays.stream(parts[2].split(",", -1))
                .map(secret -> new String(decode(secret), StandardCharsets.UTF_8)).toList();
            try {
                String signature = new String(decode(parts[1]), StandardCharsets.UTF_8);
                System.out.println(OfAgeWebhook.isFromOfAge(decode(parts[0]), signature, secrets));
            } catch (Exception error) {
                System.out.println("error");
            }
        }
    }
}
